import CBuild
import LivePhotoRequests
import LivePhotoWorker

/// What `--version` and `doctor` print about this build and its libraries.
enum Versions {
    /// Whether the options ask for the version, anywhere on the command line.
    static func isRequested(by arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--version")
    }

    /// `0.1.0 (commit abcdef0)`
    static var program: String {
        let commit = livephoto_commit.map { " (commit \(String(cString: $0)))" }
        return ProgramVersion.current + (commit ?? "")
    }

    /// A line for FFmpeg, each of its libraries, x264 and libheif.
    static func libraries(_ environment: ConversionEnvironment) -> [String] {
        ["FFmpeg".padded(to: 14) + environment.ffmpegRelease]
            + environment.libraries.map { "  \($0.name)".padded(to: 14) + $0.version }
            + [
                "x264".padded(to: 14) + (environment.x264.map { "core \($0)" } ?? "missing"),
                "libheif".padded(to: 14) + environment.libheif,
            ]
    }

    /// Prints the version, and with `--verbose` also those of the worker's libraries.
    static func print(_ arguments: [String]) async throws {
        try Terminal.print("livephoto \(program)")
        guard arguments.contains("--verbose") || arguments.contains("-v") else { return }
        let environment = try await MediaWorker().engine.environment()
        try Terminal.print(libraries(environment).joined(separator: "\n"))
    }
}
