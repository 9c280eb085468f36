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

    /// How the picture is turned until it is straight; without a change of its size.
    func straightening(in size: PixelSize) -> UnitMap {
        guard let degrees = straightening?.degrees, degrees != 0 else { return UnitMap() }
        return UnitMap(
            turning: degrees * .pi / 180, enlarging: Self.enlargement(straightening: degrees, size), in: size)
    }

    /// How much a picture has to be enlarged so that the turned one fills its rectangle.
    fileprivate static func enlargement(straightening degrees: Double, _ size: PixelSize) -> Double {
        let angle = abs(degrees * .pi / 180)
        return cos(angle) + Double(size.longEdge) / Double(max(size.shortEdge, 1)) * sin(angle)
    }

    /// Whether colours of single pixels change, which is done in RGB.
    fileprivate var changesTone: Bool {
        let amounts = [exposure?.hundredths, contrast?.value, saturation?.value, warmth?.value, tint?.value]
        return amounts.contains { $0 ?? 0 != 0 }
    }
}

extension PictureFilters {
    /// Adds what adjusts an upright picture; rotation by right angles and mirroring are done already.
    static func adjust(_ chain: inout AdjustmentChain, _ adjustments: Adjustments, _ colorTable: ColorTable?) {
        let target = chain.target
        let size = target.canvas.picture.size
        if let strength = adjustments.denoising?.value, strength > 0 {
            // The radius is 3 pixels at 1080p, and the same part of the picture at other sizes.
            let radius = max(Double(size.shortEdge) / 360, 1)
            let range = Double(strength) / 100 * 0.12
            chain.append(["bilateral=sigmaS=\(radius):sigmaR=\(range):planes=7"], in: .encoder)
        }
        if let angle = adjustments.straightening?.degrees, angle != 0 {
            chain.append(straightening(angle, size, target), in: .encoder)
        }
        if adjustments.changesTone { chain.append(ToneCurves(adjustments).filters, in: .deepRGB) }
        if let vignette = adjustments.vignette?.value, vignette > 0 {
            // The angle of view of a lens without correction: at 100, the corners get a quarter of the light.
            chain.append(
                ["format=rgb24", "vignette=angle=\(Double(vignette) / 100 * .pi / 4)", "format=gbrp"], in: .rgb)
        }
        if let strength = adjustments.sharpening?.value, strength > 0 {
            // The same part of the picture at every size: 5 pixels at 1080p. The filter takes odd numbers up to 23.
            let width = min(max(size.shortEdge * 5 / 1080 / 2 * 2 + 1, 3), 23)
            chain.append(
                ["unsharp=lx=\(width):ly=\(width):la=\(Double(strength) / 100 * 1.5):ca=0"], in: .encoder)
        }
        if let colorTable { chain.append(colorTable) }
        for filter in adjustments.filter?.filters ?? [] {
            chain.append(filter.libavFilters, in: filter.layout.ofChain)
        }
    }

    /// Enlarges the picture until the turned one fills its rectangle.
    private static func straightening(_ degrees: Double, _ size: PixelSize, _ target: Target) -> [String] {
        let angle = degrees * .pi / 180
        let scale = Adjustments.enlargement(straightening: degrees, size)
        func enlarged(_ length: Int) -> Int { Int((Double(length) * scale / 2).rounded(.up)) * 2 }
        let larger = PixelSize(width: enlarged(size.width), height: enlarged(size.height))
        return [
            layoutChange(target.color, to: target.format, size: larger),
            "rotate=angle=\(angle):out_w=\(size.width):out_h=\(size.height)",
        ]
    }
}

extension AllowedFilter.Layout {
    /// Nil if the filter takes any.
    fileprivate var ofChain: AdjustmentChain.Layout? {
        switch self {
        case .yuv: .yuv
        case .rgb: .rgb
        case .any: nil
        }
    }
}

extension FilterChain.Filter {
    /// The filter, with the same format before and after it. Some filters take RGB only as `rgb24`; without a stated format,
    /// libavfilter may convert it to YCbCr for them.
    var libavFilters: [String] { [libavText] + (layout.format.map { ["format=\($0)"] } ?? []) }
}

extension AllowedFilter.Layout {
    /// libav's name of the format; nil for any.
    var format: String? {
        switch self {
        case .yuv: "yuv444p"
        case .rgb: "gbrp"
        case .any: nil
        }
    }
}
