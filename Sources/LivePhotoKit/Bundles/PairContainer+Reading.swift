import Bytes
import StillImage
import SystemPackage

extension PairContainer {
    /// What the pair is called: the photo's name without its extension.
    var pairName: String { FilePath(photoName).stem ?? photoName }

    /// The file that the photo stands in: the container, but for a folder.
    var photoFile: FilePath {
        switch photo {
        case .stored(let part): part.path
        case .still: path
        }
    }

    /// As `photoFile`.
    var movieFile: FilePath { movie.path }

    /// The photo, as `writePhoto` writes it.
    ///
    /// - Throws: `LivePhotoError`.
    func photoBytes() throws(LivePhotoError) -> [UInt8] {
        try reading {
            switch photo {
            case .stored(let part): try part.contents(limit: PhotoEditor.fileSizeLimit)
            case .still(let photo): try photo.still().contents(limit: PhotoEditor.fileSizeLimit)
            }
        }
    }

    /// - Throws: `LivePhotoError`.
    func openMovie() throws(LivePhotoError) -> InputFile {
        try reading { try movie.open() }
    }

    private func reading<Value>(_ body: () throws -> Value) throws(LivePhotoError) -> Value {
        do {
            return try body()
        } catch {
            throw Self.failure(error, path)
        }
    }
}
