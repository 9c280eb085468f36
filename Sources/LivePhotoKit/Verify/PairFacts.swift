import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// What the rules look at: both halves, read once.
struct PairFacts: Sendable {
    let photo: Half<PhotoMetadata>
    let movie: Half<MovieFacts>
    /// Structural similarity of the photo and the movie's frame at the still time, 1 for equal pictures, or why they
    /// cannot be compared; nil where the pictures were not looked at.
    var similarity: Result<Double, LivePhotoError>?

    /// One file of the pair: what it tells, or why it tells nothing.
    struct Half<Facts: Sendable>: Sendable {
        let path: FilePath
        let read: Result<Facts, ParseError>

        var facts: Facts? { try? read.get() }
        var fault: ParseError? {
            if case .failure(let error) = read { error } else { nil }
        }
    }

    /// - Throws: `LivePhotoError` for a file that cannot be opened or read.
    init(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        self.photo = try Self.read(photo) { try PhotoMetadata($0) }
        self.movie = try Self.read(movie) { try MovieFacts($0) }
    }

    /// Of what has been read already, also where a container holds it.
    ///
    /// - Throws: `Errno` of pread(2).
    init(_ halves: Halves) throws {
        photo = Half(path: halves.photo, read: .success(halves.photoMetadata))
        movie = Half(path: halves.movie, read: .success(try MovieFacts(halves.reader)))
    }

    private static func read<Facts>(
        _ path: FilePath, _ read: (InputFile) throws -> Facts
    ) throws(LivePhotoError) -> Half<Facts> {
        do {
            return Half(path: path, read: .success(try read(InputFile(path))))
        } catch let error as ParseError {
            return Half(path: path, read: .failure(error))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// The identifiers that both halves carry, as they are spelt there.
    var photoIdentifier: String? { try? photo.facts?.contentIdentifier.get() }
    var movieIdentifier: String? { movie.facts?.contentIdentifier }
}
