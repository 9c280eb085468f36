import Bytes
import LivePhotoConversion

/// A task with all its files opened.
enum OpenTask {
    case plan(Conversion)
    case planExport(Conversion, ExportFormat, loops: Int)
    case convert(Conversion, PairFiles)
    case similarity(PhotoAndMovie, stillTime: MediaTime)
    case findStill(PhotoAndMovie)
    case thumbnail(InputFile, edge: Int, quality: Int)
    case sound(SoundConversion, WritableFile)
    case jpeg(PhotoConversion, WritableFile)
    case export(Conversion, ExportFormat, loops: Int, WritableFile)
    case frames(Conversion, FrameSheetLayout, WritableFile?)
    case environment

    /// - Throws: `LivePhotoError` if a file cannot be opened.
    init(_ task: WorkerOrder.Task, _ limits: WorkerLimits) throws {
        switch task {
        case .plan(let order): self = .plan(try Self.conversion(order, limits))
        case .planExport(let order, let format, let loops):
            self = .planExport(try Self.conversion(order, limits), format, loops: loops)
        case .convert(let order, let photo, let movie):
            self = .convert(try Self.conversion(order, limits), try PairFiles(photo: photo.path, movie: movie.path))
        case .similarity(let photo, let movie, let stillTime):
            self = .similarity(try PhotoAndMovie(photo: photo.path, movie: movie.path), stillTime: stillTime)
        case .findStill(let photo, let movie):
            self = .findStill(try PhotoAndMovie(photo: photo.path, movie: movie.path))
        case .thumbnail(let photo, let edge, let quality):
            self = .thumbnail(try PhotoFile.open(photo.path), edge: edge, quality: quality)
        case .sound(let movie, let output):
            self = .sound(try SoundConversion(movie.path), try WritableFile(output.path))
        case .jpeg(let photo, let output, let quality, let maximum):
            let photo = PhotoConversion(try PhotoFile.open(photo.path), quality: quality, maximum: maximum)
            self = .jpeg(photo, try WritableFile(output.path))
        case .export(let order, let format, let loops, let output):
            self = .export(try Self.conversion(order, limits), format, loops: loops, try WritableFile(output.path))
        case .frames(let order, let layout, let output):
            self = .frames(try Self.conversion(order, limits), layout, try output.map { try WritableFile($0.path) })
        case .environment: self = .environment
        }
    }

    private static func conversion(_ order: ConversionOrder, _ limits: WorkerLimits) throws -> Conversion {
        var request = order.request
        request.memory = limits.memory
        return Conversion(request, try ConversionFiles(of: request), CancellationFlag())
    }

    /// Whether the task makes a plan and applies its limits.
    var makesPlan: Bool {
        switch self {
        case .convert, .export: true
        case .plan, .planExport, .similarity, .findStill, .thumbnail, .sound, .jpeg, .frames, .environment: false
        }
    }

    /// Runs the task.
    ///
    /// - Parameters:
    ///   - limits: already applied, except those that depend on the plan.
    ///   - sandbox: the sandbox that this process has entered.
    /// - Throws: `LivePhotoError`.
    func run(
        _ limits: WorkerLimits, _ sandbox: SandboxReport?,
        _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> WorkerEvent {
        switch self {
        case .plan(let conversion): return .plan(try conversion.plan().summary)
        case .planExport(let conversion, let format, let loops):
            return .plan(try conversion.planExport(as: format, loops: loops).summary)
        case .convert(let conversion, let output):
            let (plan, warnings) = try conversion.make(output, onPlan: limits.apply, progress: progress)
            return .conversion(plan.summary, warnings: ShownLines(warnings))
        case .similarity(let files, let stillTime):
            return .similarity(
                Similarity(try KeyPhotoSimilarity.measure(files, stillTime: stillTime, CancellationFlag())))
        case .findStill(let files): return .still(try StillFinder.find(files, CancellationFlag()))
        case .thumbnail(let photo, let edge, let quality):
            return .thumbnail(try Thumbnail(of: photo, edge: edge, quality: quality))
        case .sound(let sound, let output):
            return .sound(isPresent: try sound.encode(into: output, CancellationFlag()))
        case .jpeg(let photo, let output):
            try photo.encode(into: output)
            return .jpeg
        case .export(let conversion, let format, let loops, let output):
            return .export(
                try conversion.export(
                    as: format, loops: loops, to: output, onPlan: limits.apply, progress: progress))
        case .frames(let conversion, let layout, let output):
            return .frames(try conversion.makeSheet(layout, into: output, progress: progress))
        case .environment:
            var environment = ConversionEnvironment.current
            environment.sandbox = sandbox
            return .environment(environment)
        }
    }
}
