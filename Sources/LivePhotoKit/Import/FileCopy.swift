import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The copy of a photo or a movie, with the date and the place of a sidecar or the name if the file has none and its format
/// can have them. A file of another format gets the date as that of its last change, and so does a raw picture, in which
/// nothing moves: some are built like movies or TIFFs, but have offsets of their makers' own.
struct FileCopy {
    let target: FilePath
    private let source: FilePath
    private let content: FilePieces
    /// Whether the content is that of the source.
    private let isUnchanged: Bool
    private let times: FileTimes
    /// The time of the last change, of a file whose format has no date; nil to keep the file's.
    private let modified: Int64?
    /// Why the metadata could not be added or read, or the file may be damaged.
    private(set) var doubts: [Doubt] = []

    /// - Throws: `LivePhotoError` for a file that cannot be read.
    init(of item: ImportItem, at place: ImportPlace) throws(LivePhotoError) {
        source = item.path
        let outside = FileMetadata(of: source)
        doubts += [outside.warning].compactMap(\.self).map { Doubt($0) }
        do {
            let file = try InputFile(source)
            times = try FileTimes(of: file)
            if let fault = Self.fault(of: file) { doubts.append(fault) }
            let changed: FilePieces?
            do {
                changed = item.isRaw ? nil : try Self.content(of: file, outside)
            } catch  where !(error is Errno) {
                doubts.append(Doubt("its date and place cannot be written: \(error)"))
                changed = nil
            }
            (content, isUnchanged) = (changed ?? FilePieces(file), changed == nil)
            modified =
                changed == nil && (item.isRaw || !Self.hasMetadata(file))
                ? outside.captureDate.map(LocalTimeZone.secondsSince1970) : nil
        } catch {
            throw LivePhotoError(reading: source, error)
        }
        let name = source.lastComponent ?? "photo"
        // The movies of motion photos in Takeout are MP4s.
        let own = name.extension ?? ""
        let kind = ExportedName.motionExtensions.contains(own.lowercased()) ? "mp4" : own
        target = place.folder.file(kind.isEmpty ? place.name : place.name.appending(".\(kind)"))
    }

    /// Whether the target has exactly this content.
    var isPresent: Bool { (try? content.areContent(of: InputFile(target))) ?? false }

    /// - Parameters:
    ///   - asHardLink: Whether an unchanged file gets a second name instead, if the file system allows that.
    ///   - replacing: Whether a file that is there is replaced.
    ///   - willPublish: Called with the complete file before it appears.
    /// - Throws: `LivePhotoError`.
    func write(asHardLink: Bool, replacing: Bool, willPublish: (FilePath) throws -> Void) throws(LivePhotoError) {
        do {
            // A hard link that is replaced is the same file under another name.
            try Publisher.check([target], inputs: asHardLink ? [] : [source], replacing: replacing)
            try Publisher.checkCase(of: [target])
            guard let name = target.lastComponent else { throw Errno.isDirectory }
            let publisher = try Publisher([.init(name)], in: target.removingLastComponent())
            let staged = publisher.stagedPath(name)
            let isLinked =
                asHardLink && isUnchanged && modified == nil
                && (try? FileSystem.addName(staged, of: source)) != nil
            if !isLinked {
                try publisher.write(name) { try content.write(to: $0) }
                try times.set(staged)
                if let modified { try FileTimes.set(staged, secondsSince1970: modified) }
            }
            try willPublish(staged)
            try publisher.publish(replacing: replacing, durability: .leftToSystem)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: target, error)
        }
    }

    /// The content with what the file lacks; nil if it needs no change, or its format cannot have it.
    private static func content(of file: InputFile, _ outside: FileMetadata) throws -> FilePieces? {
        guard outside.captureDate != nil || outside.location != nil else { return nil }
        if let reader = try? PhotoReader(file), reader.format != .avif, file.size <= PhotoEditor.fileSizeLimit {
            let bytes = try file.contents(limit: PhotoEditor.fileSizeLimit)
            let date = reader.statedDate == nil ? outside.captureDate : nil
            let location = try PhotoMetadata(reader).exif?.location == nil ? outside.location : nil
            guard date != nil || location != nil else { return nil }
            var pieces = FilePieces()
            pieces.append(
                try PhotoEditor(bytes).applying(
                    ExifUpdate(
                        captureDate: date.map { .set($0) } ?? .keep, location: location.map { .fillIn($0) } ?? .keep)))
            return pieces
        }
        guard let reader = try? MovieReader(file) else { return nil }
        let date = reader.statedDate == nil ? outside.captureDate : nil
        let location = reader.location == nil ? outside.location : nil
        guard date != nil || location != nil else { return nil }
        return try MovieEdit(describing: reader, captureDate: date, location: location).copy()
    }

    /// Why a file is not what its name says; nil if it is, or nothing here reads such files.
    private static func fault(of file: InputFile) -> Doubt? {
        let kind = file.path.extension?.lowercased() ?? ""
        do {
            if FileTree.photoExtensions.contains(kind) {
                _ = try PhotoReader(file)
                if let doubt = doubt(aboutEndOf: file) { return doubt }
            }
            if FileTree.movieExtensions.contains(kind) { _ = try MovieReader(file) }
            return nil
        } catch {
            return Doubt(
                "cannot be read and may be damaged (\(error))",
                advice: copyAdvice)
        }
    }

    private static let copyAdvice = "it is copied as it is; look for another copy"

    /// The doubt about a photo that ends before its picture does.
    static func doubt(aboutEndOf file: InputFile) -> Doubt? {
        guard let photo = try? PhotoReader(file), photo.isCutOff else { return nil }
        return Doubt(PhotoReader.cutOffReason, advice: copyAdvice)
    }

    /// Whether a file has its date in its metadata, or its format would have got it there.
    private static func hasMetadata(_ file: InputFile) -> Bool {
        guard let reader = try? PhotoReader(file) else { return (try? MovieReader(file)) != nil }
        return reader.format != .avif || reader.statedDate != nil
    }
}
