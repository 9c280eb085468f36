import FFmpegKit
import LivePhotoRequests
import MediaModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The mean of a movie's frames in linear light, as a camera sees them that exposes for the whole time.
struct LongExposure {
    let plan: ConversionPlan
    let reader: ClipReader

    /// Decodes the movie once.
    ///
    /// The frames are laid over each other as the plan's survey says. A frame that shows another part of the scene is left out.
    ///
    /// - Returns: a picture in the format of `plan.pictures.photo`.
    func picture() throws -> Frame {
        let target = plan.pictures.photo.target
        let pixels = PixelAccess(target, isDeep: true)
        var mean = LightMean()
        let frames = MovieFrames(plan, reader, filters: plan.pictures.photo, isLongExposure: true)
        try frames.forEachScheduled(where: { plan.survey.exposureSteadying?[$0] != nil }) { picture, _ in
            mean.add(try pixels.image(of: picture).rgba16)
        }
        let size = target.canvas.size
        guard let image = LivePhotoImage(width: size.width, height: size.height, rgba: mean.rgba) else {
            throw LivePhotoError(.internalError, plan.clip, "its frames differ in size")
        }
        return try pixels.picture(image)
    }
}

/// The mean of pictures in linear light, by the transfer function of sRGB (IEC 61966-2-1).
package struct LightMean {
    /// Red, green and blue of all pixels; 1 is the light of white in one picture.
    private var sums: [Float] = []
    private var count = 0

    package init() {}

    /// - Parameter rgba: red, green, blue and alpha of all pixels, from 0 to 65535; as many as those before.
    package mutating func add(_ rgba: [UInt16]) {
        if sums.isEmpty { sums = [Float](repeating: 0, count: rgba.count / 4 * 3) }
        count += 1
        let (values, lights) = (rgba.span, Self.lights.span)
        var sums = sums.mutableSpan
        for pixel in 0..<min(values.count / 4, sums.count / 3) {
            for component in 0..<3 {
                sums[unchecked: pixel * 3 + component] += lights[Int(values[unchecked: pixel * 4 + component])]
            }
        }
    }

    /// The mean: red, green, blue and alpha of all pixels, from 0 to 65535; empty without pictures.
    package var rgba: [UInt16] {
        var values = [UInt16](repeating: .max, count: sums.count / 3 * 4)
        for index in sums.indices {
            let light = sums[index] / Float(max(count, 1))
            let signal = light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            values[index / 3 * 4 + index % 3] = UInt16(min(max(signal, 0), 1) * 65_535 + 0.5)
        }
        return values
    }

    /// The light of each value.
    private static let lights: [Float] = (0...65_535).map { value in
        let signal = Double(value) / 65_535
        return Float(signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4))
    }
}
