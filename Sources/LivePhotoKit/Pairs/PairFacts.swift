import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The properties of a pair that rules check. Both files are read once.
struct PairFacts: Sendable {
    let photo: FileFacts<PhotoMetadata>
    let movie: FileFacts<MovieFacts>
    /// Structural similarity of the photo and the movie's frame at the still time, 1 for equal pictures, or why they
    /// cannot be compared; nil if the pictures were not compared.
    var similarity: Result<Double, LivePhotoError>?
    /// Why the photo's picture is not all there; nil if it is, or if that was not looked at.
    private(set) var photoTruncation: ParseError?
    /// How much the movie's pictures move, or why that cannot be measured; nil if it was not.
    var steadiness: Result<PictureSteadiness, LivePhotoError>?

    /// One file of the pair: its properties, or why they cannot be read.
    struct FileFacts<Facts: Sendable>: Sendable {
        let path: FilePath
        let read: Result<Facts, ParseError>

        var facts: Facts? { try? read.get() }
        var fault: ParseError? {
            if case .failure(let error) = read { error } else { nil }
        }
    }

    /// - Parameter readsLivePhotoInfo: whether rules check the records of a live-photo-info track.
    /// - Throws: `LivePhotoError` for a file that cannot be opened or read.
    init(photo: FilePath, movie: FilePath, readsLivePhotoInfo: Bool = false) throws(LivePhotoError) {
        var truncation: ParseError?
        self.photo = try Self.read(photo) { file in
            let reader = try PhotoReader(file)
            do {
                try reader.checkIsWhole()
            } catch let error as ParseError {
                truncation = error
            }
            return try PhotoMetadata(reader)
        }
        photoTruncation = truncation
        self.movie = try Self.read(movie) { try MovieFacts($0, readsLivePhotoInfo: readsLivePhotoInfo) }
    }

    /// - Throws: `Errno` of pread(2).
    init(_ source: SourcePair) throws {
        photo = FileFacts(path: source.photo, read: .success(source.photoMetadata))
        movie = FileFacts(path: source.movie, read: .success(try MovieFacts(source.reader)))
    }

    private static func read<Facts>(
        _ path: FilePath, _ read: (InputFile) throws -> Facts
    ) throws(LivePhotoError) -> FileFacts<Facts> {
        do {
            return FileFacts(path: path, read: .success(try read(InputFile(path))))
        } catch let error as ParseError {
            return FileFacts(path: path, read: .failure(error))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// As spelled in the files.
    var photoIdentifier: FileText? { try? photo.facts?.contentIdentifier.get() }
    var movieIdentifier: FileText? { movie.facts?.contentIdentifier }
}
