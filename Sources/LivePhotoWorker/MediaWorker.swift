import LivePhotoKit
public import LivePhotoRequests

/// Does each piece of work in a sandboxed process of the program `livephoto-media` (see `SandboxMode`), so that damaged and
/// hostile files affect no other process. A crash, a timeout and a process that runs out of memory are errors like others.
///
/// ```swift
/// let request = ConversionRequest(clip: "beach.mp4", outputDirectory: "LivePhotos")
/// let result = try await MediaWorker().engine.convert(request)
/// ```
public struct MediaWorker: Sendable {
    /// `livephoto-media`; nil searches `../libexec/livephoto` relative to the folder of this program, then that folder.
    public let program: FilePath?
    /// Whether the process is sandboxed.
    public var sandbox = SandboxMode.auto
    /// Time limit for a process; nil for the preset's limit for conversions, and 1800 s for everything else.
    public var timeout: TimeLimit?
    /// Memory limit for the process; nil for the preset's limit for conversions, by default what the size of the picture and
    /// the threads usually need, and 2 GiB for everything else.
    public var memoryLimit: MemoryLimit?
    /// Memory limit in bytes for conversions that have no other.
    package var memoryShare: Int?
    /// Whether log messages of the libraries are logged here, under the label `livephoto.media`.
    public var isVerbose = false

    /// Far more than any task takes.
    private static let defaultTimeout = TimeLimit(.seconds(1800))

    /// A worker with the sandbox mode `auto` and the default limits.
    ///
    /// - Parameter program: the path of `livephoto-media`; nil searches it as described at `program`.
    public init(program: FilePath? = nil) {
        self.program = program
    }

    package init(_ settings: DecoderSettings) {
        self.init()
        (sandbox, timeout, memoryLimit) = (settings.sandbox, settings.timeout, settings.memoryLimit)
        isVerbose = settings.isVerbose
    }

    /// Those of another process.
    package var settings: DecoderSettings {
        var settings = DecoderSettings()
        (settings.sandbox, settings.timeout, settings.memoryLimit) = (sandbox, timeout, memoryLimit)
        settings.isVerbose = isVerbose
        return settings
    }

    /// Works in processes of this worker. An error of the code `temporary` may not occur again, nor may one whose cause is a
    /// `WorkerEnd` that says so.
    public var engine: MediaEngine {
        MediaEngine { work, outputs, progress in try await perform(work, into: outputs, progress) }
    }

    private func perform(
        _ work: Work, into outputs: [FilePath], _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws(LivePhotoError) -> WorkResult {
        let cores = Int64(CurrentProcess.cores)
        let timeout = (timeout ?? work.limits?.timeout ?? Self.defaultTimeout).duration
        let memory = (memoryLimit ?? work.limits?.memory)?.bytes ?? (work.limits == nil ? nil : memoryShare)
        let limits = WorkerLimits(
            memory: memory, processorSeconds: timeout.map { Int(($0.components.seconds + 1) * cores) })
        let order = WorkerOrder(work, into: outputs, limits: limits, sandbox: sandbox, isVerbose: isVerbose)
        let program = if let given = self.program { given } else { try HelperProgram.media.find() }
        let outcome = await WorkerProcess(program: program, timeout: timeout).run(order, progress)
        return try outcome.result(of: work, into: outputs, timeout: timeout, program)
    }
}
