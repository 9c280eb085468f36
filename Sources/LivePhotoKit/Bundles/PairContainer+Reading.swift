import Bytes
import StillImage
import SystemPackage

extension PairContainer {
    /// The file that contains the photo: the container, or a file in its folder.
    var photoFile: FilePath {
        switch photo {
        case .stored(let part): part.path
        case .still: path
        }
    }

    /// The file that contains the movie.
    var movieFile: FilePath { movie.path }

    /// The photo, as `writePhoto` writes it.
    ///
    /// - Throws: `LivePhotoError`.
    func photoBytes() throws(LivePhotoError) -> [UInt8] {
        try reading {
            switch photo {
            case .stored(let part): try part.photo(limit: PhotoEditor.fileSizeLimit)
            case .still(let photo): try photo.still().contents(limit: PhotoEditor.fileSizeLimit)
            }
        }
    }

    /// The extension that the photo has when the pair is extracted.
    package func publishedPhotoExtension() throws(LivePhotoError) -> String {
        PublishTarget.photoExtension(of: PhotoMetadata.Format(of: try photoBytes()))
    }

    /// - Parameter folder: Where a compressed movie is unpacked, to an unnamed file.
    /// - Throws: `LivePhotoError`.
    func openMovie(unpackingIn folder: FilePath) throws(LivePhotoError) -> InputFile {
        try reading { try movie.open(unpackingIn: folder) }
    }

    private func reading<Value>(_ body: () throws -> Value) throws(LivePhotoError) -> Value {
        do {
            return try body()
        } catch {
            throw Self.failure(error, path)
        }
    }
}
