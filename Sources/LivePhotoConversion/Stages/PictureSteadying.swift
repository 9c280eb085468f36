import FFmpegKit
import MediaModel

extension Frame {
    /// The picture after a correction, in the same size and format.
    ///
    /// - Parameter part: where the picture is between black bars.
    func steadied(by correction: PictureCorrection, in part: PixelRectangle) throws -> Frame {
        guard !correction.isIdentity else { return self }
        let corners = correction.corners(in: part.size).enumerated().map { index, corner in
            "x\(index)=\(corner.x):y\(index)=\(corner.y)"
        }
        var filters = ["perspective=\(corners.joined(separator: ":")):interpolation=cubic:sense=source"]
        if part.size != size {
            filters.insert("crop=\(part.width):\(part.height):\(part.x):\(part.y):exact=1", at: 0)
            filters.append("pad=\(size.width):\(size.height):\(part.x):\(part.y)")
        }
        return try PictureConverter.Chain(filters.joined(separator: ",")).convert(self)
    }
}
