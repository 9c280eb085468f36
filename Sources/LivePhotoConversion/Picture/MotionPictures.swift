import FFmpegKit
import MediaModel

/// Pictures as motion is measured in them: smaller, gray and without bars.
struct MotionPictures {
    let size: PixelSize
    /// The part of the pictures that is measured.
    let part: PixelRectangle
    private let chain: PictureConverter.Chain

    /// The short edge of the pictures: more is more exact and slower.
    private static let shortEdge = 360
    private static let longestEdge = 1920

    /// - Parameter filters: those of the movie.
    init(_ filters: PictureFilters) { self.init(filters.pictureInCanvas) }

    init(_ part: PixelRectangle) {
        self.part = part
        let scale = Double(Self.shortEdge) / Double(max(part.size.shortEdge, 1))
        func length(_ edge: Int) -> Int {
            min(max(Int(Double(edge) * scale / 2) * 2, Self.shortEdge), Self.longestEdge)
        }
        size = PixelSize(width: length(part.width), height: length(part.height))
        chain = PictureConverter.Chain(
            "crop=\(part.width):\(part.height):\(part.x):\(part.y),scale=\(size.width):\(size.height):flags=bilinear,format=gray,gblur=sigma=1"
        )
    }

    /// The samples of a picture, row after row.
    func luma(of picture: Frame) throws -> [UInt8] { try chain.convert(picture).lumaPlane() }
}
