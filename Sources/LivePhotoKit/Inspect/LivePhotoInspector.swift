import Bytes
import QuickTime
import StillImage
public import SystemPackage

/// Describes photos, movies and bundles, which it recognizes by their content.
///
/// ```swift
/// if case .movie(let movie) = try LivePhotoInspector().inspect("beach.MOV") {
///     print(movie.still?.time ?? "no still image time")
/// }
/// ```
public struct LivePhotoInspector: Sendable {
    /// An inspector, which keeps no state between calls.
    public init() {}

    /// Describes a photo, movie or bundle.
    ///
    /// - Throws: `LivePhotoError` if it does not exist or is none of them.
    public func inspect(_ path: FilePath) throws(LivePhotoError) -> Inspection {
        let inspection = try read(path)
        try LivePhotoError.checkInterruption(of: path)
        return inspection
    }

    private func read(_ path: FilePath) throws(LivePhotoError) -> Inspection {
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
                    .unusableMedia, path, "is not a photo (JPEG, HEIC, AVIF), movie (MOV, MP4) or bundle (.livp, .pvt)")
            }
        } catch let error as LivePhotoError {
            throw error
        } catch let error as ParseError {
            throw LivePhotoError(
                .unusableMedia, path, "is not a photo, movie or bundle that can be read: \(error)", cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// Lists the boxes of a movie or a HEIF photo: lines with offset, size, type and a summary.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    public func boxes(of path: FilePath) throws(LivePhotoError) -> [String] {
        do {
            let tree = try BoxTree(of: InputFile(path))
            guard tree.isOfMovieOrHEIF else {
                throw LivePhotoError(.unusableMedia, path, "has no boxes; it is neither a movie nor a HEIC")
            }
            let lines = tree.nodes.map(\.line)
            return tree.isAbridged ? lines + ["…"] : lines
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// Describes all photos and movies below folders, each folder once it is listed and while others still are: the files of a
    /// folder in the order of their names, and then those of the folders in it.
    ///
    /// - Parameters:
    ///   - folders: Each is listed with the folders in it.
    ///   - width: How many files are read at a time.
    ///   - make: Makes what is wanted of a description, such as a text, several at a time.
    ///   - onFile: Called with what was made, or why there is nothing, also of folders that cannot be listed: a
    ///     `LivePhotoError`, or an error of `make`; with the number of these results so far, and of the files that were found
    ///     so far.
    /// - Throws: `CancellationError` if the task was cancelled; errors of `onFile`.
    public func inspect<Value: Sendable>(
        below folders: [FilePath], width: Int = 1, making make: @escaping @Sendable (Inspection) throws -> Value,
        onFile: (_ result: Result<Value, any Error>, _ done: Int, _ found: Int) throws -> Void
    ) async throws {
        let found = FileTree.FoundCount()
        var done = 0
        let tree = try await FileTree.listing(folders, found: found) { files in
            try await concurrentForEach(files.all, width: width) { file in
                Result { try make(inspect(file)) }
            } body: { result in
                if case .failure(let error as LivePhotoError) = result, error.code == .cancelled {
                    throw CancellationError()
                }
                done += 1
                try onFile(result, done, found.value)
            }
        }
        for (path, reason) in tree.unreadable {
            done += 1
            try onFile(.failure(LivePhotoError(reading: path, reason)), done, found.value)
        }
    }
}

extension BoxTree {
    /// Any bytes can look like a box of a huge size and an unknown type, so one of the boxes that every movie and HEIF photo
    /// has must be at the top level.
    fileprivate var isOfMovieOrHEIF: Bool {
        let types: Set<FourCC> = ["ftyp", "styp", "moov", "mdat", "moof", "meta", "wide", "free", "skip"]
        return nodes.contains { $0.depth == 0 && types.contains($0.type) }
    }
}

extension BoxNode {
    fileprivate var line: String {
        func column(_ number: Int) -> String {
            String(repeating: " ", count: max(12 - "\(number)".count, 0)) + "\(number)"
        }
        let indent = String(repeating: "  ", count: depth)
        return "\(column(offset)) \(column(size))  \(indent)\(type)" + (isCutOff ? " (cut off)" : "")
            + (annotation.isEmpty ? "" : "  " + annotation)
    }
}
