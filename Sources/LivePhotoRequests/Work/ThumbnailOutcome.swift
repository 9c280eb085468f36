import LivePhotoKit
package import SystemPackage

/// Which picture of a photo's file a thumbnail shows.
package enum ThumbnailSource: String, Sendable, Codable {
    /// The photo itself.
    case photo
    /// The thumbnail that the camera stored in the file, which is decoded much faster; the photo if there is none.
    case embedded
}

/// The thumbnail of one of several photos, or why there is none.
package enum ThumbnailOutcome: Codable, Sendable {
    case made(Thumbnail)
    case failed(ReportedError)

    package init(_ result: Result<Thumbnail, LivePhotoError>) {
        self =
            switch result {
            case .success(let thumbnail): .made(thumbnail)
            case .failure(let error): .failed(ReportedError(error))
            }
    }

    /// - Parameter photo: the photo, the only file that an error may name.
    package func result(of photo: FilePath) -> Result<Thumbnail, LivePhotoError> {
        switch self {
        case .made(let thumbnail): .success(thumbnail)
        case .failed(let error):
            .failure(
                LivePhotoError(
                    // Only this program cancels tasks.
                    error.code.general == .cancelled ? .internalError : error.code, error.file == nil ? nil : photo,
                    error.reason))
        }
    }
}
