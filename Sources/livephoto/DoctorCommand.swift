import ArgumentParser
import LivePhotoConversion

struct DoctorCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says which FFmpeg, x264 and libheif this program runs with, and what is missing.",
        discussion: "Ends with status 1 when something is missing without which no clip can be converted.")

    static let examples = ["livephoto doctor", "livephoto doctor && livephoto convert beach.mp4"]

    func run() throws {
        let environment = ConversionEnvironment()
        var lines = [
            "livephoto".padded(to: 14) + Version.current, "FFmpeg".padded(to: 14) + environment.ffmpegRelease,
        ]
        lines += environment.libraries.map { "  \($0.name)".padded(to: 14) + $0.version }
        lines.append("x264".padded(to: 14) + (environment.x264.map { "core \($0)" } ?? "missing"))
        lines.append("libheif".padded(to: 14) + environment.libheif)
        lines += environment.components.map { component in
            let state = component.isPresent ? "ok" : (component.isRequired ? "MISSING" : "missing")
            return "\(component.kind) \(component.name)".padded(to: 22) + state.padded(to: 9) + "(\(component.purpose))"
        }
        lines.append(environment.isReady ? "Everything that a conversion needs is there." : Self.remedy)
        try Terminal.print(lines.joined(separator: "\n"))
        if !environment.isReady { throw ExitCode(1) }
    }

    private static let remedy = """
        Something is missing without which no clip can be converted. Install a full FFmpeg with libx264:
          Debian, Ubuntu: sudo apt install libavcodec-extra libavfilter-extra libx264-dev
          Fedora:         sudo dnf install ffmpeg-libs x264-libs (from RPM Fusion)
          Arch:           sudo pacman -S ffmpeg x264
          macOS:          brew install ffmpeg
        """
}
