import Bytes
import LivePhotoKit
import StillImage
import SystemPackage

/// What the staged files of an export hold.
enum EncodedExport: Sendable {
    case movie(ExportedMedia, cover: [UInt8]?)
    case frames(ExportedMedia)
    case photo
    /// The photo itself is a JPEG and keeps its picture.
    case copiedPhoto
}

/// The output of an export: staged files in a hidden folder, which are checked and then published.
struct ExportPublication: Sendable {
    private let request: ExportRequest
    private let name: FilePath.Component
    private let publisher: Publisher

    /// The maximum length of an edge of a cover, in pixels.
    static let coverEdge = 1280
    /// A frame's file name is its number with this many digits, or more if there are more frames.
    private static let digits = 4

    /// Creates the files for the encoder.
    ///
    /// - Throws: `LivePhotoError`.
    init(_ request: ExportRequest) throws {
        self.request = request
        guard let name = request.output.lastComponent else {
            throw LivePhotoError(.invalidRequest, request.output, "cannot be a file name; give another one")
        }
        self.name = name
        let isFolder = request.format == .frames
        publisher = try Publisher([.init(name, isFolder: isFolder)], in: request.output.folder)
        do {
            try OutputFile.write(encoded) { _ in }
        } catch {
            throw LivePhotoError(writing: request.output, error)
        }
    }

    /// The file for the encoder.
    var encoded: FilePath { publisher.stagedPath(name == "encoded" ? "encoded.scratch" : "encoded") }
    private var staged: FilePath { publisher.stagedPath(name) }

    func discard() { publisher.discard() }

    /// Completes the file, checks it and moves it to its destination.
    ///
    /// - Throws: `LivePhotoError`, after removing the files.
    func publish(_ result: EncodedExport) throws -> ExportResult {
        do {
            let (media, bytes) = try stage(result)
            // Otherwise it would be published with the result if this process were killed.
            try FileSystem.removeFile(encoded)
            try publisher.publish(replacing: request.replacesExisting && request.format != .frames)
            return ExportResult(
                output: request.output, format: request.format, size: media.size, frames: media.frames,
                duration: media.duration, bytes: bytes, warnings: media.warnings)
        } catch let error as Errno {
            throw LivePhotoError(writing: request.output, error)
        } catch let error as ParseError {
            throw failedCheck("\(error)")
        }
    }

    private func stage(_ result: EncodedExport) throws -> (ExportedMedia, bytes: Int) {
        let encoded = try InputFile(encoded, named: request.output)
        switch result {
        case .movie(let media, let cover):
            try OutputFile.write(staged) { try PlainMP4.write(encoded, of: request.movie, cover: cover, to: $0) }
            return try checked(media)
        case .frames(let media) where request.format == .frames:
            return (media, try writeFrames(media, from: encoded))
        case .frames(let media):
            try OutputFile.write(staged) { output in
                try output.write(0..<encoded.size, of: encoded)
                guard request.format == .webp else { return }
                let end = try ExportedFacts(of: encoded, as: .webP).endOfWebP(at: media.duration)
                if let end { try output.overwrite(at: end.offset, with: end.bytes) }
            }
            return try checked(media)
        case .photo, .copiedPhoto:
            let isCopied = if case .copiedPhoto = result { true } else { false }
            let file = isCopied ? try request.openPhoto() : encoded
            try OutputFile.write(staged) { try $0.write(PlainPhoto.contents(of: file)) }
            let photo = try InputFile(staged, named: request.output)
            let metadata = try PhotoMetadata(PhotoReader(photo))
            guard metadata.format == .jpeg, (try? metadata.contentIdentifier.get()) == nil else {
                throw failedCheck("it is no plain JPEG")
            }
            let media = ExportedMedia(size: metadata.displaySize, frames: 1, duration: .zero, warnings: [])
            return (media, photo.size)
        }
    }

    /// Reads the staged file and compares it with what the encoder reports.
    private func checked(_ media: ExportedMedia) throws -> (ExportedMedia, bytes: Int) {
        let file = try InputFile(staged, named: request.output)
        let facts = try ExportedFacts(of: file, as: request.format.factsKind)
        // An encoder may join equal frames.
        let isComplete =
            request.format == .mp4 || request.format == .avif
            ? facts.frames == media.frames : 1...media.frames ~= facts.frames
        // A single picture needs no duration.
        let isStill = facts.frames == 1 && facts.duration == .zero
        let difference = isStill ? 0 : abs(facts.duration.seconds - media.duration.seconds)
        guard facts.size == media.size, isComplete, difference <= Self.tolerance else {
            throw failedCheck(
                "it is \(facts.size), has \(counted(facts.frames, "frame")) and lasts \(facts.duration) instead of "
                    + "\(media.size), \(media.frames) and \(media.duration)")
        }
        return (media, file.size)
    }

    /// In seconds: times are rounded to the format's clock.
    private static let tolerance = 0.02

    /// - Returns: the size of all files.
    private func writeFrames(_ media: ExportedMedia, from encoded: InputFile) throws -> Int {
        // The worker is not trusted.
        guard media.parts.count == media.frames, media.parts.allSatisfy({ 0...encoded.size ~= $0 }),
            media.parts.reduce(0, { $0.addingReportingOverflow($1).partialValue }) == encoded.size
        else { throw failedCheck("the sizes of its frames do not add up") }
        try OutputDirectory.create(staged)
        let digits = max("\(media.frames)".count, Self.digits)
        var start = 0
        for (index, size) in media.parts.enumerated() {
            let number = "\(index + 1)"
            let name = "frame-\(String(repeating: "0", count: digits - number.count))\(number).jpg"
            let path = staged.appending(name)
            try OutputFile.write(path) { try $0.write(start..<start + size, of: encoded) }
            start += size
            let facts = try ExportedFacts(of: InputFile(path, named: request.output), as: .jpeg)
            guard facts.size == media.size else {
                throw failedCheck("\(name) is \(facts.size) instead of \(media.size)")
            }
        }
        return encoded.size
    }

    private func failedCheck(_ reason: String) -> LivePhotoError {
        LivePhotoError(.internalError, request.output, "the result did not pass its check: \(reason)")
    }
}

extension ExportFormat {
    fileprivate var factsKind: ExportedFacts.Kind {
        switch self {
        case .mp4, .avif: .movie
        case .gif: .gif
        case .webp: .webP
        case .jpeg, .frames: .jpeg
        }
    }
}

extension ExportRequest {
    /// Checks before any work whether the output can be written.
    ///
    /// - Throws: `LivePhotoError`.
    package func checkOutput() throws(LivePhotoError) {
        let inputs = [photo, movie]
        if format == .frames, (try? output.stat(followTargetSymlink: false)) != nil {
            throw LivePhotoError(
                .cannotCreateOutput, output,
                "already exists, and frames are written only to a new folder; name another one")
        }
        try Publisher.check([output], inputs: inputs, replacing: replacesExisting)
        guard let type = try? output.stat(followTargetSymlink: false).type, type == .directory else { return }
        throw LivePhotoError(writing: output, Errno.isDirectory)
    }

    /// Whether the photo is a JPEG that is copied.
    func keepsPhoto() throws(LivePhotoError) -> Bool {
        guard quality == nil, try PhotoFile.format(openPhoto()) == .jpeg else { return false }
        guard maximumSize != nil else { return true }
        let (exported, full) = (try photoSize(), try photoSize(storedWithin: nil))
        return exported == full
    }

    /// The size of the exported photo.
    func photoSize() throws(LivePhotoError) -> PixelSize { try photoSize(storedWithin: maximumSize) }

    private func photoSize(storedWithin maximum: MaximumSize?) throws(LivePhotoError) -> PixelSize {
        let file = try openPhoto()
        let size: PixelSize
        do {
            size = try PhotoMetadata(PhotoReader(file)).displaySize
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, photo, "cannot be exported: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: photo, error)
        }
        guard let maximum, size.longEdge > maximum.longEdge || size.shortEdge > maximum.shortEdge else { return size }
        let scale = min(
            Double(maximum.longEdge) / Double(size.longEdge), Double(maximum.shortEdge) / Double(size.shortEdge))
        func scaled(_ length: Int) -> Int { max(Int((Double(length) * scale / 2).rounded()) * 2, 2) }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    func openPhoto() throws(LivePhotoError) -> InputFile {
        do {
            return try InputFile(openedPhoto ?? photo, named: photo)
        } catch {
            throw LivePhotoError(reading: photo, error)
        }
    }
}
