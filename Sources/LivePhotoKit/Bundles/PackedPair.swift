import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The planned contents of a container, complete before anything is written.
struct PackedPair: Sendable {
    private enum Content: Sendable {
        case file(FilePieces)
        case folder([(name: FilePath.Component, content: FilePieces)])
    }

    private let content: Content
    private let inputs: [FilePath]

    /// - Throws: `LivePhotoError` for files that cannot be packed in this format.
    init(
        photo: FilePath, movie: FilePath, stillTime: MediaTime?, as format: PairContainer.Format,
        motionPhoto: MotionPhotoOptions, _ parts: MotionPhotoParts = MotionPhotoParts()
    ) throws(LivePhotoError) {
        guard stillTime.map({ $0 >= .zero }) ?? true else {
            throw LivePhotoError(.invalidRequest, photo, "the still time is before the movie's beginning")
        }
        let (still, photoFormat) = try Self.photo(photo)
        let movieFile = try Self.reading(movie) { try InputFile(movie) }
        inputs = [photo, movie]
        switch format {
        case .pvt: content = .folder(try Self.reading(photo) { try Self.folder(still, photoFormat, movieFile) })
        case .pvtZip: content = .file(try Self.zippedFolder(still, photoFormat, movieFile))
        case .livp: content = .file(try Self.archive(still, photoFormat, movieFile))
        case .motionPhoto: content = .file(try Self.motionPhoto(still, movieFile, stillTime, motionPhoto, parts))
        }
    }

    /// The photo's format by its content.
    static func photo(
        _ path: FilePath
    ) throws(LivePhotoError) -> (file: InputFile, format: PhotoMetadata.Format) {
        try reading(path) {
            let file = try InputFile(path)
            let head = try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize)
            guard let format = PhotoMetadata.Format(of: head) else {
                throw LivePhotoError(.unusableMedia, path, "is not a JPEG, HEIC or AVIF")
            }
            return (file, format)
        }
    }

    private static func reading<Value>(_ path: FilePath, _ body: () throws -> Value) throws(LivePhotoError) -> Value {
        do {
            return try body()
        } catch {
            throw PairContainer.failure(error, path)
        }
    }

    // MARK: .pvt

    private static func folder(
        _ photo: InputFile, _ format: PhotoMetadata.Format, _ movie: InputFile
    ) throws -> [(name: FilePath.Component, content: FilePieces)] {
        let identifier = try? PhotoMetadata(photo).contentIdentifier.get()
        var list = FilePieces()
        list.append(Array(propertyList(identifier.flatMap { ContentIdentifier($0) }).utf8))
        return [
            (name: try name(of: photo, FileTree.photoExtensions, "\(format)"), content: FilePieces(photo)),
            (
                name: try name(of: movie, FileTree.movieExtensions, isQuickTime(movie) ? "mov" : "mp4"),
                content: FilePieces(movie)
            ),
            (name: "metadata.plist", content: list),
        ]
    }

    /// The file's name, which gets an extension if it has none of its kind: readers tell the two files by it.
    private static func name(
        of file: InputFile, _ kinds: Set<String>, _ kind: String
    ) throws -> FilePath.Component {
        guard let name = file.path.lastComponent else { throw Errno.isDirectory }
        let own = name.extension.flatMap { kinds.contains($0.lowercased()) ? $0 : nil }
        let kind = own ?? kind.uppercased()
        let stem = PairNames.written(name.base, reserve: kind.utf8.count + 1)
        return FilePath.Component("\(stem.string()).\(kind)") ?? name
    }

    /// Whether the movie is not an MP4: files without a type are QuickTime movies.
    private static func isQuickTime(_ movie: InputFile) -> Bool {
        let type = try? MovieReader(movie).fileType
        return type.map { $0.majorBrand == "qt  " } ?? true
    }

    private static func propertyList(_ identifier: ContentIdentifier?) -> String {
        // The spelling of the key is that of Photos.
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

    private static func zippedFolder(
        _ photo: InputFile, _ format: PhotoMetadata.Format, _ movie: InputFile
    ) throws(LivePhotoError) -> FilePieces {
        try checkSize(photo, movie, "a .zip")
        return try reading(photo.path) {
            let name = PairNames.written(photo.path.lastComponent?.base, reserve: ".pvt".utf8.count)
            var archive = ZipWriter()
            try archive.add("\(name).pvt/", FilePieces())
            for file in try folder(photo, format, movie) {
                try archive.add("\(name).pvt/\(FileText(file.name.bytes))", file.content)
            }
            return archive.archive(comment: "")
        }
    }

    private static func checkSize(
        _ photo: InputFile, _ movie: InputFile, _ archive: String
    ) throws(LivePhotoError) {
        let limit = ZipWriter.sizeLimit - (1 << 16)
        guard photo.size <= limit, movie.size <= limit - photo.size else {
            throw LivePhotoError(.unusableMedia, movie.path, "is too large for \(archive), which holds 4 GB")
        }
    }

    // MARK: .livp

    /// The photo's name with its extension, as in Baidu's archives.
    private static func livpName(_ photo: InputFile) -> FileText {
        guard let name = photo.path.lastComponent else { return PairNames.written(nil) }
        let own = name.extension.flatMap { FileTree.photoExtensions.contains($0.lowercased()) ? $0 : nil }
        // Another extension follows.
        let stem = PairNames.written(own == nil ? name : name.base, reserve: 2 * ".heic".utf8.count)
        return own.map { "\(stem).\($0)" } ?? stem
    }

    private static func archive(
        _ photo: InputFile, _ format: PhotoMetadata.Format, _ movie: InputFile
    ) throws(LivePhotoError) -> FilePieces {
        guard format != .avif else {
            throw LivePhotoError(.unusableMedia, photo.path, "is an AVIF; a .livp holds a JPEG or HEIC")
        }
        try checkSize(photo, movie, "a .livp")
        let kind = format == .jpeg ? "jpg" : "heic"
        let name = livpName(photo)
        return try reading(photo.path) {
            var archive = ZipWriter()
            // Names and order as in Baidu's archives.
            let still = try archive.add("\(name).\(kind)", FilePieces(photo))
            let own = movie.path.extension?.lowercased() ?? ""
            let movieKind = FileTree.movieExtensions.contains(own) ? own : isQuickTime(movie) ? "mov" : "mp4"
            let video = try archive.add("\(name).\(movieKind)", FilePieces(movie))
            func numbers(_ range: Range<Int>) -> String {
                [range.lowerBound, range.count].map { padded($0, 8, radix: 16, uppercase: true) }.joined()
            }
            return archive.archive(
                comment: (format == .jpeg ? "0005" : "0002") + numbers(still) + "0003" + numbers(video)
                    + "313030304C495650")
        }
    }
}

extension PackedPair {
    /// Whether the target already has exactly these contents.
    func isPresent(at target: FilePath) -> Bool {
        func holds(_ path: FilePath, _ content: FilePieces) -> Bool {
            (try? content.areContent(of: InputFile(path))) ?? false
        }
        switch content {
        case .file(let content): return holds(target, content)
        case .folder(let files): return files.allSatisfy { holds(target.appending($0.name), $0.content) }
        }
    }

    /// Checks without writing whether the container can be written.
    func check(_ target: FilePath, replacing: Bool) throws(LivePhotoError) {
        try Publisher.check([target], inputs: inputs, replacing: replacing)
        try Publisher.checkCase(of: [target])
    }

    /// - Parameter willPublish: Called with the complete file or folder before it appears.
    func write(
        to target: FilePath, replacing: Bool, willPublish: (FilePath) throws -> Void = { _ in }
    ) throws(LivePhotoError) {
        try check(target, replacing: replacing)
        guard let name = target.lastComponent else { throw LivePhotoError(writing: target, Errno.isDirectory) }
        let isFolder = if case .folder = content { true } else { false }
        let publisher = try Publisher([.init(name, isFolder: isFolder)], in: target.folder)
        do {
            switch content {
            case .file(let content): try publisher.write(name) { try content.write(to: $0) }
            case .folder(let files):
                let folder = publisher.stagedPath(name)
                try FileSystem.createDirectory(folder, [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute])
                for file in files {
                    try OutputFile.write(folder.appending(file.name)) { try file.content.write(to: $0) }
                }
            }
            try willPublish(publisher.stagedPath(name))
        } catch let error as Errno {
            throw LivePhotoError(writing: target, error)
        } catch {
            throw PairContainer.failure(error, inputs.first ?? target)
        }
        try publisher.publish(replacing: replacing)
    }
}
