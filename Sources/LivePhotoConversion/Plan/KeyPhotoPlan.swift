package import MediaModel
package import StillImage

package import struct SystemPackage.FilePath

/// Where the key photo comes from, and what becomes of it.
package enum KeyPhotoPlan: Sendable, Hashable {
    /// The clip's frame at the still, of this size as it is shown.
    case frame(PixelSize)
    /// A photo of the user's own.
    case own(PhotoDescription, ExifUpdate, keepsMetadata: Bool)

    /// As it is shown.
    package var size: PixelSize {
        switch self {
        case .frame(let size): size
        case .own(let photo, _, _): photo.size
        }
    }

    package var isFrame: Bool {
        if case .frame = self { true } else { false }
    }

    /// - Parameter captureDate: the one asked for.
    init(
        _ photo: PhotoDescription, _ identifier: ContentIdentifier, _ mode: MetadataMode, captureDate: CaptureDate?,
        clip: ClipMetadata
    ) {
        let (hasDate, hasPlace) = (mode != .discard, mode == .keep)
        // What the photo says of itself comes before what the clip says, but not before what was asked for.
        self = .own(
            photo,
            ExifUpdate(
                contentIdentifier: .set(identifier),
                captureDate: captureDate.map { .set($0) }
                    ?? (hasDate ? clip.captureDate.map { .fillIn($0) } ?? .keep : .remove),
                location: hasPlace ? clip.location.map { .fillIn($0) } ?? .keep : .remove),
            keepsMetadata: mode != .discard)
    }
}

/// A photo of the user's own, as far as a plan needs to know.
package struct PhotoDescription: Sendable, Hashable {
    package let path: FilePath
    /// As it is shown.
    package let size: PixelSize
    /// Whether its picture stays as it is coded, or becomes a JPEG.
    package let isKept: Bool
    /// Whether the picture becomes a JPEG, which has no alpha, and a pixel of it is not wholly opaque.
    package let isTransparent: Bool
    package let captureDate: CaptureDate?
    package let location: GeographicLocation?

    package init(
        path: FilePath, size: PixelSize, isKept: Bool, isTransparent: Bool = false, captureDate: CaptureDate?,
        location: GeographicLocation?
    ) {
        self.path = path
        self.size = size
        self.isKept = isKept
        self.isTransparent = isTransparent
        self.captureDate = captureDate
        self.location = location
    }
}
