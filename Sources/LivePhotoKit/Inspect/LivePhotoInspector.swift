import Bytes
import QuickTime
import StillImage
public import SystemPackage

/// Says what photos, movies and bundles are, by their content, whatever their names say.
///
/// ```swift
/// if case .movie(let movie) = try LivePhotoInspector().inspect("beach.MOV") {
///     print(movie.still?.time ?? "no still image time")
/// }
/// ```
public struct LivePhotoInspector: Sendable {
    public init() {}

    /// - Throws: `LivePhotoError` for what is not there, or is none of them.
    public func inspect(_ path: FilePath) throws(LivePhotoError) -> Inspection {
        do {
            if try path.stat().type == .directory { return .bundle(try BundleInspection(folder: path)) }
            let file = try InputFile(path)
            let head = try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize)
            if PhotoMetadata.Format(of: head) != nil { return .photo(try PhotoInspection(file)) }
            if ZipDirectory.isZip(head) { return .bundle(try BundleInspection(archive: file)) }
            guard !head.isEmpty else { throw LivePhotoError(.unusableMedia, path, "is empty (0 bytes)") }
            do {
                return .movie(try MovieInspection(file))
            } catch let error as ParseError {
                if try BoxTree(of: file).isOfMovieOrHEIF { throw error }
                throw LivePhotoError(
                    .unusableMedia, path, "is no photo (JPEG, HEIC, AVIF), movie (MOV, MP4) or bundle (.livp, .pvt)")
            }
        } catch let error as LivePhotoError {
            throw error
        } catch let error as ParseError {
            throw LivePhotoError(
                .unusableMedia, path, "is no photo, movie or bundle that can be read: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// The boxes of a movie or of a HEIF photo, as lines for a person: offset, size, type, what it says.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    public func boxes(of path: FilePath) throws(LivePhotoError) -> [String] {
        do {
            let tree = try BoxTree(of: InputFile(path))
            guard tree.isOfMovieOrHEIF else {
                throw LivePhotoError(.unusableMedia, path, "has no boxes; it is no movie and no HEIC")
            }
            let lines = tree.nodes.map(\.line)
            return tree.isAbridged ? lines + ["…"] : lines
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// The photos and movies below folders, in the order of their names, and what of the folders could not be looked at.
    public func files(below folders: [FilePath]) -> (files: [FilePath], unreadable: [LivePhotoError]) {
        let tree = FileTree(below: folders)
        return (
            (tree.photos + tree.movies).sorted { $0.string < $1.string },
            tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
        )
    }
}

extension BoxTree {
    /// Any bytes can be taken for a box of a huge size and an unheard-of type; so one of those that every movie and HEIF
    /// photo has must be among the outer ones.
    fileprivate var isOfMovieOrHEIF: Bool {
        let types: Set<FourCC> = ["ftyp", "styp", "moov", "mdat", "moof", "meta", "wide", "free", "skip"]
        return nodes.contains { $0.depth == 0 && types.contains($0.type) }
    }
}

extension BoxNode {
    fileprivate var line: String {
        let numbers = "\(padded(offset, 12)) \(padded(size, 12))  "
        let indent = String(repeating: "  ", count: depth)
        return numbers + indent + "\(type)" + (isCutOff ? " (cut off)" : "")
            + (annotation.isEmpty ? "" : "  " + annotation)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: " ", count: max(width - digits.count, 0)) + digits
    }
}
