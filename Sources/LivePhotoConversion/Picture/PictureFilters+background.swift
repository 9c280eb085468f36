import FFmpegKit
package import MediaModel

extension PictureFilters {
    /// Overlays a picture with alpha on the background; the output has no alpha. Empty for a format without alpha.
    ///
    /// libavfilter's overlay mixes code values without conversion and keeps opaque pixels unchanged. It works on 8-bit
    /// planes without chroma subsampling; deeper formats are reduced to 8 bits.
    static func background(
        _ background: BackgroundColor, behind video: VideoParameters, _ color: ColorDescription
    ) -> [String] {
        guard video.pixelFormat.hasAlpha else { return [] }
        let isRGB = video.pixelFormat.isRGB
        let opaque = isRGB ? "gbrp" : "yuv444p"
        // Undo premultiplication first, because overlay's mode for premultiplied pictures lets chroma overflow.
        let straight = video.hasPremultipliedAlpha ? straightening : []
        return [layoutChange(color, to: isRGB ? "gbrap" : "yuva444p")] + straight + [
            "split[top][copy];[copy]" + layoutChange(color, to: opaque),
            background.fill(color, isRGB: isRGB)
                + "[ground];[ground][top]overlay=eval=init:format=\(isRGB ? "gbrp" : "yuv444")",
            "format=\(opaque)",
        ]
    }

    /// Undoes premultiplication. Where frames have an alpha mode, as in FFmpeg 9, the filter does nothing without it.
    private static let straightening =
        (LibavVersions.hasOption("alpha_mode", ofFilter: "setparams") ? ["setparams=alpha_mode=premultiplied"] : [])
        + ["unpremultiply=inplace=1"]
}

extension BackgroundColor {
    /// A filter that fills 8-bit planes with this color.
    fileprivate func fill(_ color: ColorDescription, isRGB: Bool) -> String {
        guard !isRGB else { return "lutrgb=r=\(red):g=\(green):b=\(blue)" }
        let values = codeValues(color)
        return "lutyuv=y=\(values.luma):u=\(values.blue):v=\(values.red)"
    }

    /// 8-bit luma, Cb and Cr in the matrix and range of `color` (ITU-T H.273, 8.3).
    ///
    /// The sRGB values are not converted to other primaries and transfer functions: in a P3 clip, red is P3's red, and
    /// in HDR, white is the brightest value. Black and SDR white are always exact.
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

    /// - Parameters:
    ///   - subject: the transparent object: `clip` or `photo`.
    ///   - canChange: whether the command has an option for the colour.
    func warning(about subject: String, canChange: Bool) -> String {
        "the \(subject) has transparent areas, which are filled with \(self)"
            + (canChange ? "; --background chooses another colour" : "")
    }
}

extension ColorDescription {
    /// The weights of red and blue in luma (ITU-T H.273, table 4: KR and KB). Matrices without weights, such as YCgCo,
    /// use those of BT.709, which changes hues but no grays.
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
