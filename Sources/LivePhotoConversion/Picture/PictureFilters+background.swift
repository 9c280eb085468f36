import FFmpegKit
package import MediaModel

extension PictureFilters {
    /// Lays a picture that has alpha over the background; what comes out has none. Empty for a format without alpha.
    ///
    /// libavfilter's overlay mixes code values as they are and keeps opaque pixels exactly. It does so in planes of 8
    /// bits with chroma at every pixel; deeper formats lose their further bits here.
    static func background(
        _ background: BackgroundColor, behind video: VideoParameters, _ color: ColorDescription
    ) -> [String] {
        guard video.pixelFormat.hasAlpha else { return [] }
        let isRGB = video.pixelFormat.isRGB
        let opaque = isRGB ? "gbrp" : "yuv444p"
        // Multiplying by alpha is undone first, as overlay's mode for premultiplied pictures lets chroma overflow.
        let straight = video.hasPremultipliedAlpha ? ["unpremultiply=inplace=1"] : []
        return [layoutChange(color, to: isRGB ? "gbrap" : "yuva444p")] + straight + [
            "split[top][copy];[copy]" + layoutChange(color, to: opaque),
            background.fill(color, isRGB: isRGB)
                + "[ground];[ground][top]overlay=eval=init:format=\(isRGB ? "gbrp" : "yuv444")",
            "format=\(opaque)",
        ]
    }
}

extension BackgroundColor {
    /// A filter that fills planes of 8 bits with this colour.
    fileprivate func fill(_ color: ColorDescription, isRGB: Bool) -> String {
        guard !isRGB else { return "lutrgb=r=\(red):g=\(green):b=\(blue)" }
        let values = codeValues(color)
        return "lutyuv=y=\(values.luma):u=\(values.blue):v=\(values.red)"
    }

    /// Luma, Cb and Cr in the matrix and range of `color`, of 8 bits (ITU-T H.273, 8.3).
    ///
    /// The values of sRGB are taken as they are for other primaries and transfer functions too: in a clip of P3 red is
    /// P3's red, and white in HDR is the brightest that the format has. Black and white are right in each of them.
    package func codeValues(_ color: ColorDescription) -> (luma: UInt8, blue: UInt8, red: UInt8) {
        let weights = color.lumaWeights
        let (red, green, blue) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
        let luma = weights.red * red + (1 - weights.red - weights.blue) * green + weights.blue * blue
        let chroma = (blue: (blue - luma) / (2 * (1 - weights.blue)), red: (red - luma) / (2 * (1 - weights.red)))
        func code(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return color.isFullRange
            ? (code(255 * luma), code(128 + 255 * chroma.blue), code(128 + 255 * chroma.red))
            : (code(16 + 219 * luma), code(128 + 224 * chroma.blue), code(128 + 224 * chroma.red))
    }
}

extension ColorDescription {
    /// The weights of red and blue in luma (ITU-T H.273, table 4: KR and KB). Those of BT.709 are used for what has no
    /// weights, such as YCgCo; that shifts hues, but no gray.
    fileprivate var lumaWeights: (red: Double, blue: Double) {
        switch matrix {
        case 4: (0.30, 0.11)
        case 5, 6: (0.299, 0.114)
        case 7: (0.212, 0.087)
        case 9, 10: (0.2627, 0.0593)
        default: (0.2126, 0.0722)
        }
    }
}

extension BackgroundColor {
    /// - Parameter subject: what is transparent: `clip` or `photo`.
    func warning(about subject: String) -> String {
        "the \(subject) is transparent in places, which are filled with \(self); --background chooses another colour"
    }
}
