package import FFmpegKit
package import LivePhotoRequests
import MediaModel

/// What is changed about the pictures of a photo and its movie.
package struct PictureEdit: Sendable, Hashable {
    /// In pixels of the picture, upright and turned by `adjustments`.
    package var framing = Framing()
    package var adjustments = Adjustments()
    /// The one that `adjustments` names.
    package var colorTable: ColorTable?

    package init(
        framing: Framing = Framing(), adjustments: Adjustments = Adjustments(), colorTable: ColorTable? = nil
    ) {
        (self.framing, self.adjustments, self.colorTable) = (framing, adjustments, colorTable)
    }

    package var isIdentity: Bool { framing == Framing() && adjustments.isIdentity }

    /// Whether everything stays where it is in the picture.
    package var keepsGeometry: Bool { turnsAtMost && adjustments.rotation == nil && adjustments.flip == nil }

    /// Whether it is not known where things are in the new picture.
    var movesUnpredictably: Bool { adjustments.stabilization == .on || adjustments.filter?.movesPicture == true }

    /// Whether the picture is at most turned by right angles and mirrored.
    package var turnsAtMost: Bool {
        framing == Framing() && adjustments.straightening == nil && !movesUnpredictably
    }
}

extension PixelRectangle {
    /// The same part of a picture of another size.
    func scaled(from size: PixelSize, to other: PixelSize) -> PixelRectangle {
        func range(_ start: Int, _ length: Int, _ whole: Int, _ otherWhole: Int) -> Range<Int> {
            let factor = Double(otherWhole) / Double(max(whole, 1))
            let lower = min(max(Int((Double(start) * factor).rounded()), 0), max(otherWhole - 1, 0))
            let upper = Int((Double(start + length) * factor).rounded())
            return lower..<max(min(upper, start + length <= whole ? otherWhole : upper), lower + 1)
        }
        let columns = range(x, width, size.width, other.width)
        let rows = range(y, height, size.height, other.height)
        return PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }
}
