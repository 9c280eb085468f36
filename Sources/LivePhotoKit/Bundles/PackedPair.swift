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
        let movieFile = try Self.movie(movie)
        inputs = [photo, movie]
        switch format {
        case .pvt: content = .folder(try Self.reading(photo) { try Self.folder(still, photoFormat, movieFile) })
        case .pvtZip:
            content = .file(
                try Self.reading(photo) {
                    try PairArchive([PairPaths(photo: photo, movie: movie)], as: .bundles).pieces()
                })
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

    static func movie(_ path: FilePath) throws(LivePhotoError) -> InputFile {
        try reading(path) { try InputFile(path) }
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
        let files = try BundleFiles(photo: photo, format, movie: movie)
        var list = FilePieces()
        list.append(files.list)
        return [
            (name: files.photoName, content: FilePieces(photo)),
            (name: files.movieName, content: FilePieces(movie)),
            (name: BundleFiles.listName, content: list),
        ]
    }

    private static func checkSize(
        _ photo: InputFile, _ movie: InputFile, _ archive: String
    ) throws(LivePhotoError) {
        let limit = ZipLayout.fileSizeLimit - (1 << 21)
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
            let own = movie.path.extension?.lowercased() ?? ""
            let movieKind =
                FileTree.movieExtensions.contains(own) ? own : BundleFiles.isQuickTime(movie) ? "mov" : "mp4"
            // Names and order as in Baidu's archives.
            let layout = try ZipLayout([
                .init(name: "\(name).\(kind)", size: photo.size), .init(name: "\(name).\(movieKind)", size: movie.size),
            ])
            func numbers(_ range: Range<Int>) -> String {
                [range.lowerBound, range.count].map { padded($0, 8, radix: 16, uppercase: true) }.joined()
            }
            return try layout.pieces(
                [FilePieces(photo), FilePieces(movie)],
                comment: (format == .jpeg ? "0005" : "0002") + numbers(layout.place(of: 0)) + "0003"
                    + numbers(layout.place(of: 1)) + "313030304C495650")
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
