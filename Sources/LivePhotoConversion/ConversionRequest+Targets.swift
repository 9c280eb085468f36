import LivePhotoKit
import StillImage

extension ConversionRequest {
    /// Where the two files will stand.
    public var targets: (photo: FilePath, movie: FilePath) {
        get throws {
            let target = try publishTarget
            // As a person would write it: `beach.JPG`, not `./beach.JPG`.
            guard target.directory == "." else { return (target.photo, target.movie) }
            return (FilePath(target.photoName.string), FilePath(target.movieName.string))
        }
    }

    var publishTarget: PublishTarget {
        get throws {
            let stem = name ?? clip.stem ?? ""
            guard let photo = FilePath.Component(stem + "." + (try photoExtension)),
                let movie = FilePath.Component(stem + ".MOV"),
                !["", ".", ".."].contains(stem)
            else {
                throw LivePhotoError(
                    .invalidRequest, nil, "\(quoted(stem)) is no name for a file; give one without slashes")
            }
            return PublishTarget(directory: outputDirectory, photoName: photo, movieName: movie)
        }
    }

    /// Photos types the two halves by their extensions, which cameras write in capitals.
    private var photoExtension: String {
        get throws(LivePhotoError) { try photo.map(PhotoFile.format) == .heic ? "HEIC" : "JPG" }
    }

    /// Finds out before any work what keeps the clip from being read, or the pair from being published.
    func checkFiles() throws {
        try InputFileCheck.check(clip)
        try publishTarget.check(inputs: [clip] + [photo].compactMap(\.self), replacing: replacesExisting)
    }
}
