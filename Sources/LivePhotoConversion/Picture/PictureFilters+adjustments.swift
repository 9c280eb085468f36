package import FFmpegKit
package import LivePhotoRequests
import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension VideoParameters {
    /// The parameters of pictures that are also rotated and mirrored by `adjustments`.
    package func turned(by adjustments: Adjustments) -> VideoParameters {
        var copy = self
        copy.orientation = orientation.followed(by: adjustments.orientation)
        return copy
    }
}

extension Adjustments {
    /// Rotation and mirroring.
    fileprivate var orientation: Orientation {
        let turn: Orientation =
            switch rotation {
            case nil: .upright
            case .clockwise: .rotated90Clockwise
            case .half: .rotated180
            case .counterclockwise: .rotated90Counterclockwise
            }
        return switch flip {
        case nil: turn
        case .horizontal: turn.followed(by: .mirrored)
        case .vertical: turn.followed(by: .flipped)
        }
    }

    /// Whether colours of single pixels change, which is done in RGB.
    fileprivate var changesTone: Bool {
        let amounts = [exposure?.hundredths, contrast?.value, saturation?.value, warmth?.value, tint?.value]
        return amounts.contains { $0 ?? 0 != 0 }
    }
}

extension PictureFilters {
    /// Filters that adjust an upright picture in the layout of the encoder; rotation by right angles and mirroring are done
    /// already.
    static func adjustment(_ adjustments: Adjustments, _ target: Target) -> [String] {
        let size = target.canvas.picture.size
        var chain: [String] = []
        if let strength = adjustments.denoising?.value, strength > 0 {
            // The radius is 3 pixels at 1080p, and the same part of the picture at other sizes.
            let radius = max(Double(size.shortEdge) / 360, 1)
            chain.append("bilateral=sigmaS=\(radius):sigmaR=\(Double(strength) / 100 * 0.12):planes=7")
        }
        if let angle = adjustments.straightening?.degrees, angle != 0 {
            chain += straightening(angle, size, target)
        }
        let vignette = adjustments.vignette?.value ?? 0
        if adjustments.changesTone || vignette > 0 {
            chain += rgb(of: target)
            if adjustments.changesTone { chain += ToneCurves(adjustments).filters }
            if vignette > 0 {
                // The angle of view of a lens without correction: at 100, the corners get a quarter of the light.
                chain += ["format=rgb24", "vignette=angle=\(Double(vignette) / 100 * .pi / 4)", "format=gbrp"]
            }
            chain += encodingOfRGB(as: target, size)
        }
        if let strength = adjustments.sharpening?.value, strength > 0 {
            // The same part of the picture at every size: 5 pixels at 1080p. The filter takes odd numbers up to 23.
            let width = min(max(size.shortEdge * 5 / 1080 / 2 * 2 + 1, 3), 23)
            chain.append("unsharp=lx=\(width):ly=\(width):la=\(Double(strength) / 100 * 1.5):ca=0")
        }
        return chain
    }

    /// Enlarges the picture until the turned one fills its rectangle.
    private static func straightening(_ degrees: Double, _ size: PixelSize, _ target: Target) -> [String] {
        let angle = degrees * .pi / 180
        let ratio = Double(size.longEdge) / Double(max(size.shortEdge, 1))
        let scale = cos(abs(angle)) + ratio * sin(abs(angle))
        func enlarged(_ length: Int) -> Int { Int((Double(length) * scale / 2).rounded(.up)) * 2 }
        let larger = PixelSize(width: enlarged(size.width), height: enlarged(size.height))
        return [
            layoutChange(target.color, to: target.format, size: larger),
            "rotate=angle=\(angle):out_w=\(size.width):out_h=\(size.height)",
        ]
    }
}
