import FFmpegKit
package import MediaModel
package import StillImage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How much more light an HDR picture has than its SDR rendering: the samples of a gain map of half the size.
///
/// Tone mapping multiplies red, green and blue of a pixel by the same factor (`ToneMapper`), so one channel is enough to undo it.
package struct GainMapPicture: Sendable {
    package let size: PixelSize
    /// Samples by ISO 21496-1, with `parameters`.
    package let samples: [UInt8]
    package let parameters: GainMapParameters
    /// Samples by Apple's formula, `1 + (H - 1) · f(s)`, with the headroom H of `parameters` and the inverse f of BT.709's transfer
    /// function. It has no gain below 1, as the shadows need it: photos are shown by the curve of sRGB, which lifts them.
    package let appleSamples: [UInt8]

    /// Added to both pictures, so that the rounding of dark samples does not become a gain.
    private static let offset = 0.001
    /// Readers need more than none.
    private static let smallestHeadroom = 0.01

    /// - Parameters:
    ///   - size: the map's.
    ///   - hdr: luminance, where 1 is the white of SDR.
    ///   - sdr: luminance of its rendering as displays show it; as many values.
    package init(_ size: PixelSize, hdr: [Float], sdr: [Float]) {
        self.size = size
        let offset = Float(Self.offset)
        let gains = zip(hdr, sdr).map { hdr, sdr in
            let gain = log2((max(hdr, 0) + offset) / (max(sdr, 0) + offset))
            // A clip in floating point may have infinite light.
            return gain.isFinite ? gain : 0
        }
        let (least, largest) = (gains.min() ?? 0, gains.max() ?? 0)
        let headroom = max(Double(largest), Self.smallestHeadroom)
        parameters = GainMapParameters(
            gains: Double(least)...Double(largest), headroom: headroom, offset: Self.offset)
        let (start, range) = (Float(parameters.minimum), Float(parameters.maximum - parameters.minimum))
        samples = gains.map { Self.sample(range > 0 ? ($0 - start) / range : 0) }
        let factor = exp2(Float(parameters.alternateHeadroom)) - 1
        appleSamples = gains.map { Self.sample(Self.signal((exp2($0) - 1) / factor)) }
    }

    private static func sample(_ value: Float) -> UInt8 { value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0 }

    /// BT.709's transfer function.
    private static func signal(_ light: Float) -> Float {
        light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    }
}

extension GainMapPicture {
    /// - Parameters:
    ///   - hdr: luminance, as `Frame.halvedLuminance` returns it.
    ///   - rendering: in the format of `PictureFilters.Target.photo`.
    init(hdr: [Float], rendering: Frame) throws {
        let size = rendering.size
        let light = try PictureConverter.Chain(PictureFilters.lightOfPhotos).convert(rendering)
        self.init(
            PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2), hdr: hdr,
            sdr: try light.halvedLuminance(at: PixelRectangle(size: size), of: size))
    }
}
