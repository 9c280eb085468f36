package import LivePhotoKit
public import LivePhotoRequests

/// Runs each call in a sandboxed process of the program `livephoto-media` (see `SandboxMode`), so that damaged and hostile
/// files affect no other process.
///
/// ```swift
/// let request = ConversionRequest(clip: "beach.mp4", outputDirectory: "LivePhotos")
/// let result = try await MediaWorker().convert(request)
/// ```
public struct MediaWorker: MediaEngine {
    /// `livephoto-media`; nil searches `../libexec/livephoto` relative to the folder of this program, then that folder.
    public let program: FilePath?
    /// Whether the process is sandboxed.
    public var sandbox = SandboxMode.auto
    /// Time limit for a call; nil for the preset's limit for conversions, and 1800 s for everything else.
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

    public func plan(_ request: ConversionRequest) async throws -> PlanSummary {
        try await planWithTarget(request).plan
    }

    /// The plan and the files that the conversion would write.
    package func planWithTarget(
        _ request: ConversionRequest
    ) async throws -> (plan: PlanSummary, target: PublishTarget) {
        let target = try await BlockingWork.run { _ in try request.checkedTarget() }
        let chosen = try await request.choosingStill(with: self)
        let request = try await BlockingWork.run { _ in try chosen.prepared() }
        let order = ConversionOrder(request, request.contentIdentifier ?? ContentIdentifier())
        guard case .plan(let plan) = try await result(of: .plan(order), about: request.clip, order.settings.limits)
        else { throw unexpected(request.clip) }
        return (plan, target)
    }

    /// Makes a Live Photo in a process of its own, then reads it back, checks it and publishes it: both files or none.
    ///
    /// Cancelling the task ends the process and leaves nothing behind.
    ///
    /// - Parameters:
    ///   - request: the clip, the output folder and the settings.
    ///   - progress: called some times a second, on any thread, one call at a time.
    /// - Throws: `LivePhotoError`; a crash, a timeout and a process that ran out of memory are errors too.
    public func convert(
        _ request: ConversionRequest, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        do {
            let target = try await BlockingWork.run { _ in try request.checkedTarget() }
            return try await make(request, to: target, progress: progress)
        } catch let failure as WorkerFailure {
            throw failure.error
        }
    }

    /// `convert`, with more detail about a process that fails.
    ///
    /// - Parameter target: the request's target, already checked.
    /// - Throws: `WorkerFailure` if the process fails; `LivePhotoError`.
    package func make(
        _ request: ConversionRequest, to target: PublishTarget,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ConversionResult {
        // The identifier is chosen here, so that the pair can be checked for it.
        let identifier = request.contentIdentifier ?? ContentIdentifier()
        let chosen = try await request.choosingStill(with: self)
        let (order, publication) = try await BlockingWork.run { _ in
            var request = try chosen.prepared()
            request.contentIdentifier = identifier
            return (ConversionOrder(request, identifier), try PairPublication(request, to: target))
        }
        let task = WorkerOrder.Task.convert(
            order, photo: PathText(publication.photo), movie: PathText(publication.movie))
        do {
            let answer = try await answer(to: task, about: request.clip, order.settings.limits, progress)
            guard case .conversion(let plan, let warnings) = answer else { throw unexpected(request.clip) }
            return try await BlockingWork.run { cancellation in
                try cancellation.check()
                return try publication.publish(plan, warnings: warnings.lines)
            }
        } catch {
            publication.discard()
            throw error
        }
    }

    public func similarity(
        photo: FilePath, movie: FilePath, stillTime: MediaTime
    ) async throws(LivePhotoError) -> Double {
        let task = WorkerOrder.Task.similarity(
            photo: PathText(photo), movie: PathText(movie), stillTime: stillTime)
        guard case .similarity(let similarity) = try await result(of: task, about: movie) else {
            throw unexpected(movie)
        }
        return similarity.value
    }

    public func findStill(of photo: FilePath, in movie: FilePath) async throws(LivePhotoError) -> StillMatch {
        let task = WorkerOrder.Task.findStill(photo: PathText(photo), movie: PathText(movie))
        guard case .still(let match) = try await result(of: task, about: movie) else { throw unexpected(movie) }
        return match
    }

    public func thumbnail(of photo: FilePath, edge: Int, quality: Int) async throws(LivePhotoError) -> Thumbnail {
        let task = WorkerOrder.Task.thumbnail(photo: PathText(photo), edge: edge, quality: quality)
        guard case .thumbnail(let thumbnail) = try await result(of: task, about: photo) else {
            throw unexpected(photo)
        }
        return thumbnail
    }

    public func encodeSound(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) -> Bool {
        let task = WorkerOrder.Task.sound(movie: PathText(movie), output: PathText(output))
        guard case .sound(let isPresent) = try await result(of: task, about: movie) else { throw unexpected(movie) }
        return isPresent
    }

    public func encodeVideo(of movie: FilePath, to output: FilePath) async throws(LivePhotoError) {
        let request = ConversionRequest(encodingVideoOf: movie, to: output)
        let order = ConversionOrder(request, ContentIdentifier())
        let photo = try output.withEmptyPhoto()
        let task = WorkerOrder.Task.convert(order, photo: PathText(photo), movie: PathText(output))
        guard case .conversion = try await result(of: task, about: movie, order.settings.limits) else {
            throw unexpected(movie)
        }
    }

    public func encodePhoto(_ photo: FilePath, to output: FilePath) async throws(LivePhotoError) {
        try await encodePhoto(photo, to: output, quality: WorkerOrder.photoQuality, maximum: nil)
    }

    package func encodePhoto(
        _ photo: FilePath, to output: FilePath, quality: Int, maximum: MaximumSize?
    ) async throws(LivePhotoError) {
        let task = WorkerOrder.Task.jpeg(
            photo: PathText(photo), output: PathText(output), quality: quality, maximum: maximum)
        guard case .jpeg = try await result(of: task, about: photo) else { throw unexpected(photo) }
    }

    public func environment() async throws(LivePhotoError) -> ConversionEnvironment {
        guard case .environment(let environment) = try await result(of: .environment, about: nil) else {
            throw unexpected(nil)
        }
        return environment
    }

    func result(
        of task: WorkerOrder.Task, about file: FilePath?, _ preset: Preset.Limits? = nil
    ) async throws(LivePhotoError) -> WorkerEvent {
        do {
            return try await answer(to: task, about: file, preset) { _ in }
        } catch {
            throw error.error
        }
    }

    /// - Parameters:
    ///   - file: the file to name in errors.
    ///   - preset: the limits of a conversion's preset; nil for other tasks.
    func answer(
        to task: WorkerOrder.Task, about file: FilePath?, _ preset: Preset.Limits?,
        _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws(WorkerFailure) -> WorkerEvent {
        let cores = Int64(CurrentProcess.cores)
        let timeout = (timeout ?? preset?.timeout ?? Self.defaultTimeout).duration
        let memory = (memoryLimit ?? preset?.memory)?.bytes ?? (preset == nil ? nil : memoryShare)
        let limits = WorkerLimits(
            memory: memory, processorSeconds: timeout.map { Int(($0.components.seconds + 1) * cores) })
        let order = WorkerOrder(task, limits: limits, sandbox: sandbox, isVerbose: isVerbose)
        let program: FilePath
        do throws(LivePhotoError) {
            program = if let given = self.program { given } else { try WorkerProgram.find() }
        } catch {
            throw WorkerFailure(error: error)
        }
        let process = WorkerProcess(program: program, timeout: timeout)
        return try await process.run(order, progress).answer(
            about: file, of: task.files, timeout: timeout, program)
    }

    func unexpected(_ file: FilePath?) -> LivePhotoError {
        LivePhotoError(
            .internalError, file, "\(program?.string ?? "livephoto-media") answered with an unexpected result")
    }
}
