import Bytes
package import LivePhotoRequests
package import SystemPackage

/// Work with all its files opened. Its methods block until done.
package struct OpenWork: Sendable {
    private enum Kind: Sendable {
        case plan(Conversion)
        case planFrames(Conversion, ExportFormat, loops: Int)
        case movies([(Conversion, PairFiles)])
        case frames(Conversion, ExportFormat, loops: Int, WritableFile)
        case sheet(Conversion, FrameSheetLayout, WritableFile?)
        case smallFrames(Conversion, SmallFramesLayout, WritableFile)
        case similarity(PhotoAndMovie, stillTime: MediaTime)
        case steadiness(InputFile, stillTime: MediaTime)
        case findStill(PhotoAndMovie)
        case thumbnails([Result<InputFile, LivePhotoError>], edge: Int, quality: Int, ThumbnailSource)
        case adjusted(AdjustedPhoto, edge: Int, quality: Int)
        case sound(SoundConversion, WritableFile)
        case soundLevels(SoundMeasurement)
        case jpeg(PhotoConversion, WritableFile)
        case environment
    }

    private let kind: Kind
    private let subject: FilePath?
    private let cancellation: CancellationFlag

    /// - Parameters:
    ///   - outputs: the files that it writes.
    ///   - memory: bytes that it may use; nil if they are not limited.
    ///   - processor: changes the pictures before they are encoded.
    /// - Throws: `LivePhotoError` if a file cannot be opened.
    package init(
        _ work: Work, into outputs: [FilePath], memory: Int? = nil, _ cancellation: CancellationFlag,
        processor: LivePhotoFrameProcessor? = nil
    ) throws {
        subject = work.subject
        self.cancellation = cancellation
        let files = try outputs.map { try WritableFile($0) }
        func only() throws -> WritableFile {
            guard files.count == 1 else { throw Self.wrongOutputs(files.count) }
            return files[0]
        }
        func conversion(_ work: ClipWork, of count: Int = 1) throws -> Conversion {
            var work = work
            work.memory = (memory ?? work.memory).map { $0 / count }
            if count > 1 { work.threads = max(work.processingThreads / count, 1) }
            return Conversion(work, try ConversionFiles(of: work), cancellation, processor: processor)
        }
        kind =
            switch work {
            case .plan(let work): .plan(try conversion(work))
            case .planFrames(let work, let format, let loops):
                .planFrames(try conversion(work), format, loops: loops)
            case .pairs(let works):
                if files.count == 2 * works.count {
                    .movies(
                        try works.enumerated().map { index, work in
                            let output = PairFiles(photo: files[2 * index], movie: files[2 * index + 1])
                            return (try conversion(work, of: works.count), output)
                        })
                } else {
                    throw Self.wrongOutputs(files.count)
                }
            case .movie(let work): .movies([(try conversion(work), PairFiles(photo: nil, movie: try only()))])
            case .frames(let work, let format, let loops):
                .frames(try conversion(work), format, loops: loops, try only())
            case .sheet(let work, let layout): .sheet(try conversion(work), layout, files.first)
            case .smallFrames(let work, let layout): .smallFrames(try conversion(work), layout, try only())
            case .similarity(let photo, let movie, let stillTime):
                .similarity(try PhotoAndMovie(photo: photo, movie: movie), stillTime: stillTime)
            case .steadiness(let movie, let stillTime):
                .steadiness(try ConversionFiles.open(movie), stillTime: stillTime)
            case .findStill(let photo, let movie): .findStill(try PhotoAndMovie(photo: photo, movie: movie))
            case .thumbnails(let photos, let edge, let quality, let source):
                .thumbnails(
                    photos.prefix(Work.mostThumbnails).map { photo in
                        Result { () throws(LivePhotoError) in try PhotoFile.open(photo) }
                    }, edge: edge, quality: quality, source)
            case .adjusted(let photo, let adjustments, let edge, let quality):
                .adjusted(try AdjustedPhoto(photo, adjustments), edge: edge, quality: quality)
            case .sound(let movie): .sound(try SoundConversion(movie), try only())
            case .soundLevels(let movie): .soundLevels(try SoundMeasurement(movie))
            case .jpeg(let photo, let quality, let maximum):
                .jpeg(try PhotoConversion(PhotoFile.open(photo), quality: quality, maximum: maximum), try only())
            case .environment: .environment
            }
    }

    private static func wrongOutputs(_ count: Int) -> LivePhotoError {
        LivePhotoError(.internalError, nil, "the work cannot be written to \(counted(count, "file"))")
    }

    /// Does the work.
    ///
    /// - Parameters:
    ///   - onPlans: called before movies or frames are encoded by plans.
    ///   - progress: called after each frame, on another thread.
    /// - Throws: `LivePhotoError`; `FrameProcessorError`.
    package func run(
        onPlans: ([ConversionPlan]) -> Void = { _ in }, progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> WorkResult {
        do {
            return try result(onPlans, progress)
        } catch let error as LivePhotoError {
            throw error
        } catch let error as FrameProcessorError {
            throw error
        } catch {
            throw LivePhotoError(.internalError, subject, "internal error: \(error)", cause: error)
        }
    }

    private func result(
        _ onPlans: ([ConversionPlan]) -> Void, _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> WorkResult {
        switch kind {
        case .plan(let conversion): return .plan(try conversion.summary())
        case .planFrames(let conversion, let format, let loops):
            return .plan(try conversion.planExport(as: format, loops: loops).summary)
        case .movies(let movies):
            let made = try Conversion.makeAll(movies, onPlans: onPlans, progress: progress)
            return .movies(made.map { MadeMovie($0.plan.summary, warnings: $0.warnings) })
        case .frames(let conversion, let format, let loops, let output):
            return .frames(
                try conversion.export(
                    as: format, loops: loops, to: output, onPlan: { onPlans([$0]) }, progress: progress))
        case .sheet(let conversion, let layout, let output):
            return .sheet(try conversion.makeSheet(layout, into: output, progress: progress))
        case .smallFrames(let conversion, let layout, let output):
            return .smallFrames(try conversion.makeSmallFrames(layout, into: output, progress: progress))
        case .similarity(let files, let stillTime):
            return .similarity(
                Similarity(try KeyPhotoSimilarity.measure(files, stillTime: stillTime, cancellation)))
        case .steadiness(let movie, let stillTime):
            return .steadiness(try SteadinessMeter.measure(movie, stillTime: stillTime, cancellation))
        case .findStill(let files): return .still(try StillFinder.find(files, cancellation))
        case .thumbnails(let photos, let edge, let quality, let source):
            return .thumbnails(
                photos.map { photo in
                    ThumbnailOutcome(
                        Result { () throws(LivePhotoError) in
                            try Thumbnail(of: photo.get(), edge: edge, quality: quality, source: source)
                        })
                })
        case .adjusted(let photo, let edge, let quality):
            return .thumbnail(try photo.thumbnail(edge: edge, quality: quality))
        case .sound(let sound, let output):
            return .sound(isPresent: try sound.encode(into: output, cancellation))
        case .soundLevels(let sound): return .soundLevels(try sound.run(cancellation))
        case .jpeg(let photo, let output):
            try photo.encode(into: output)
            return .jpeg
        case .environment: return .environment(.current)
        }
    }
}
