import Bytes
public import MediaModel
import StillImage
public import SystemPackage

extension PairContainer {
    /// What a pair can be put into.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case pvt, livp
        /// Google's Motion Photo 1.0.
        case motionPhoto = "motion-photo"
    }

    /// Puts a photo and its movie into one new file, or folder for `.pvt`; nothing is left of it where that fails.
    ///
    /// The photo's picture and the movie are copied byte for byte. In a motion photo XMP comes to the photo, or changes
    /// there, and a movie that the photo has already is left out.
    ///
    /// - Parameters:
    ///   - stillTime: when in the movie the photo was taken; nil where nobody knows. Motion photos say it, of the
    ///     others the movie itself.
    ///   - target: where nothing stands yet.
    /// - Throws: `LivePhotoError`, of code `outputExists` where something stands there.
    public static func pack(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, as format: Format, to target: FilePath
    ) throws(LivePhotoError) {
        guard stillTime.map({ $0 >= .zero }) ?? true else {
            throw LivePhotoError(.invalidRequest, photo, "the still time is before the movie's beginning")
        }
        let parts = (photo: try Self.photo(photo), movie: try Self.open(movie))
        switch format {
        case .pvt: try packFolder(parts.photo.file, parts.movie, to: target)
        case .livp: try packArchive(parts.photo.file, parts.photo.format, parts.movie, to: target)
        case .motionPhoto: try packMotionPhoto(parts.photo.file, parts.movie, stillTime, to: target)
        }
    }

    private static func open(_ path: FilePath) throws(LivePhotoError) -> InputFile {
        do {
            return try InputFile(path)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    private static func photo(
        _ path: FilePath
    ) throws(LivePhotoError) -> (file: InputFile, format: PhotoMetadata.Format) {
        let file = try open(path)
        do {
            let head = try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize)
            guard let format = PhotoMetadata.Format(of: head) else {
                throw LivePhotoError(.unusableMedia, path, "is no JPEG, HEIC or AVIF")
            }
            return (file, format)
        } catch {
            throw failure(error, path)
        }
    }

    // MARK: .pvt

    private static func packFolder(_ photo: InputFile, _ movie: InputFile, to target: FilePath) throws(LivePhotoError) {
        do {
            try FileSystem.createDirectory(
                target, [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
        } catch {
            throw LivePhotoError(writing: target, error)
        }
        do throws(LivePhotoError) {
            for file in [photo, movie] {
                guard let name = file.path.lastComponent else { continue }
                try create(target.appending(name), of: file.path) { output in
                    var pieces = FilePieces()
                    pieces.append(0..<file.size, of: file)
                    try pieces.write(to: output)
                }
            }
            let identifier = try? PhotoMetadata(photo).contentIdentifier.get()
            let list = propertyList(identifier.flatMap { ContentIdentifier($0) })
            try create(target.appending("metadata.plist"), of: target) { try $0.write(Array(list.utf8)) }
        } catch {
            FileSystem.removeTree(target)
            throw error
        }
    }

    private static func propertyList(_ identifier: ContentIdentifier?) -> String {
        // Spelt as Photos does.
        let pairing = identifier.map {
            "\t<key>PFVideoComplementMetadataPairidIdentifierKey</key>\n\t<string>\($0)</string>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \(pairing ?? "")\t<key>PFVideoComplementMetadataVersionKey</key>
            \t<string>1</string>
            </dict>
            </plist>

            """
    }

    // MARK: .livp

    private static func packArchive(
        _ photo: InputFile, _ format: PhotoMetadata.Format, _ movie: InputFile, to target: FilePath
    ) throws(LivePhotoError) {
        guard format != .avif else {
            throw LivePhotoError(.unusableMedia, photo.path, "is an AVIF; a .livp holds a JPEG or HEIC")
        }
        guard photo.size + movie.size <= ZipWriter.sizeLimit - (1 << 16) else {
            throw LivePhotoError(.unusableMedia, movie.path, "is too large for a .livp, which holds 4 GB")
        }
        let name = photo.path.lastComponent?.string ?? "photo"
        let kind = format == .jpeg ? "jpg" : "heic"
        try create(target, of: photo.path) { output in
            var archive = ZipWriter(output)
            // Baidu's names and order.
            let still = try archive.add("\(name).\(kind)", photo)
            let video = try archive.add("\(name).\(movie.path.extension?.lowercased() ?? "mov")", movie)
            try archive.finish(
                comment: (format == .jpeg ? "0005" : "0002") + hexadecimal(still.lowerBound) + hexadecimal(still.count)
                    + "0003" + hexadecimal(video.lowerBound) + hexadecimal(video.count) + "313030304C495650")
        }
    }

    /// Eight digits.
    private static func hexadecimal(_ number: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(8 - digits.count, 0)) + digits
    }

    // MARK: Motion Photo

    private static func packMotionPhoto(
        _ photo: InputFile, _ movie: InputFile, _ stillTime: MediaTime?, to target: FilePath
    ) throws(LivePhotoError) {
        let pieces: FilePieces
        do {
            pieces = try MotionPhoto(PhotoReader(photo)).with(movie, presentationTime: stillTime)
        } catch let error as ParseError where error.structure == "movie" {
            throw LivePhotoError(.unusableMedia, movie.path, "cannot stand in a motion photo: \(error)")
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, photo.path, "cannot become a motion photo: \(error)")
        } catch {
            throw failure(error, photo.path)
        }
        try create(target, of: photo.path) { try pieces.write(to: $0) }
    }
}
