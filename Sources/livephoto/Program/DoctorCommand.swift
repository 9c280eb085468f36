import ArgumentParser
import LivePhotoRequests
import LivePhotoWorker

struct DoctorCommand: AsyncParsableCommand, ExemplifiedCommand, WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show versions, the sandbox, your own settings and where they are from, and what is missing.",
        discussion: """
            Your own defaults for options are in ~/.config/livephoto/config.yaml, or the file that LIVEPHOTO_CONFIG names: \
            a line such as 'sandbox: require' for all commands, and below the name of a command, options only for that.

            Exits with status 1 if something that every conversion needs is missing, or if that file has an error.
            """)

    static let examples = ["livephoto doctor", "livephoto doctor && livephoto convert beach.mp4"]

    @OptionGroup var workerOptions: WorkerOptions

    func run() async throws {
        let configuration = ConfigurationReport()
        let version = "livephoto".padded(to: 14) + Versions.program
        let environment: ConversionEnvironment
        var isOff = false
        do {
            var worker = try workerOptions.worker()
            isOff = worker.sandbox == .off
            // Query what the system supports even if the sandbox is off.
            if isOff { worker.sandbox = .auto }
            environment = try await worker.engine.environment()
        } catch let error as LivePhotoError {
            let lines = [version] + configuration.lines + Self.lines(for: error)
            try Terminal.print(lines.joined(separator: "\n"))
            throw ExitCode(1)
        }
        var lines = [version] + Versions.libraries(environment)
        lines.append("sandbox".padded(to: 14) + Self.text(environment.sandbox, isOff: isOff))
        lines.append("sharing".padded(to: 14) + (try await Self.sharing()))
        lines += configuration.lines
        lines += environment.components.map { component in
            let state = component.isPresent ? "ok" : (component.isRequired ? "MISSING" : "missing")
            return "\(component.kind) \(component.name)".padded(to: 22) + state.padded(to: 9) + "(\(component.purpose))"
        }
        lines +=
            environment.isReady ? ["Everything that conversions need is installed."] : Self.missing(in: environment)
        try Terminal.print(lines.joined(separator: "\n"))
        if !environment.isReady || configuration.hasError { throw ExitCode(1) }
    }

    /// Whether Live Photos can be shared; conversions do not need that.
    private static func sharing() async throws -> String {
        do {
            try await ServerProcess.check()
            return "ok"
        } catch let error as LivePhotoError {
            return "missing (\(error))"
        }
    }

    /// What to do if the worker does not run.
    private static func lines(for error: LivePhotoError) -> [String] {
        func line(_ part: String, _ state: String) -> String {
            part.padded(to: 14) + state.padded(to: 9) + "(\(error))"
        }
        return switch error.code {
        case .missingWorker:
            [line("worker", "MISSING"), "This installation of livephoto is incomplete; install it again."]
        case .missingLibrary where error.file?.lastComponent == "livephoto-media":
            [line("library", "MISSING")] + LibraryPackage.advice(forLoader: error.reason)
        default: [line("worker", "FAILED")]
        }
    }

    /// A sentence for each missing part.
    private static func missing(in environment: ConversionEnvironment) -> [String] {
        let parts = environment.components.filter { $0.isRequired && !$0.isPresent }
        let sentences = parts.map {
            "FFmpeg has no \($0.kind) \($0.name), which every conversion needs (\($0.purpose))."
        }
        let isBroken = environment.x264 == nil && !parts.contains { $0.name == "libx264" }
        return sentences + (isBroken ? ["FFmpeg has the encoder libx264, but cannot encode with it."] : [])
            + LibraryPackage.advice([.ffmpeg])
    }

    private static func text(_ sandbox: SandboxReport?, isOff: Bool) -> String {
        let rights = "decoders run with all your permissions"
        guard let sandbox else { return "none; \(rights)" }
        if isOff { return "off; \(rights) (the system offers: \(sandbox))" }
        if sandbox.isComplete { return "\(sandbox)" }
        #if os(Linux)
            return "\(sandbox): incomplete, because the kernel or the settings of a container lack the rest"
        #else
            return "none on this system; \(rights)"
        #endif
    }
}
