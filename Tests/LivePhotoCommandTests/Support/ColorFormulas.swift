import Foundation

/// Red, green and blue, or what stands for them, as shares of white.
typealias RGB = SIMD3<Double>

/// What numbers mean by the standards' formulas, so that no program's own conversion is trusted.
enum ColorFormulas {
    /// The weights of red and blue in luma, by ffmpeg's name of the matrix (ITU-T H.273, table 4).
    private static func weights(_ matrix: String) -> (red: Double, blue: Double) {
        switch matrix {
        case "bt709": (0.2126, 0.0722)
        case "bt2020nc": (0.2627, 0.0593)
        case "smpte240m": (0.212, 0.087)
        case "fcc": (0.30, 0.11)
        default: (0.299, 0.114)
        }
    }

    /// R'G'B' as Y' (0…1), Cb and Cr (−0.5…0.5).
    static func luma(_ color: RGB, _ matrix: String) -> RGB {
        let (red, blue) = weights(matrix)
        let luma = red * color.x + (1 - red - blue) * color.y + blue * color.z
        return RGB(luma, (color.z - luma) / (2 * (1 - blue)), (color.x - luma) / (2 * (1 - red)))
    }

    /// The way back.
    static func color(_ luma: RGB, _ matrix: String) -> RGB {
        let (red, blue) = weights(matrix)
        let color = RGB(luma.x + 2 * (1 - red) * luma.z, 0, luma.x + 2 * (1 - blue) * luma.y)
        return RGB(color.x, (luma.x - red * color.x - blue * color.z) / (1 - red - blue), color.z)
    }

    /// The same colour in other primaries, as code values of a display with a gamma of 2.4 (ITU-R BT.1886).
    static func fromBT709(_ color: RGB, to primaries: String) -> RGB {
        guard primaries != "bt709" else { return color }
        let light = Matrix(ofPrimaries: primaries).solve(Matrix(ofPrimaries: "bt709") * color.map { pow($0, 2.4) })
        return light.map { $0 < 0 ? -pow(-$0, 1 / 2.4) : pow($0, 1 / 2.4) }
    }

    /// CIE L*a*b* under D65 of an sRGB colour (IEC 61966-2-1).
    static func lab(_ color: RGB) -> RGB {
        let matrix = Matrix(ofPrimaries: "bt709")
        let light = color.map { $0 <= 0.04045 ? max($0, 0) / 12.92 : pow((min($0, 1) + 0.055) / 1.055, 2.4) }
        let f = (matrix * light / (matrix * RGB(repeating: 1)))
            .map { $0 > 216.0 / 24389 ? cbrt($0) : (24389.0 / 27 * $0 + 16) / 116 }
        return RGB(116 * f.y - 16, 500 * (f.x - f.y), 200 * (f.y - f.z))
    }

    /// How different two colours in L*a*b* look: CIEDE2000 (CIE 142; Sharma, Wu and Dalal 2005).
    static func difference(_ one: RGB, _ two: RGB) -> Double {
        func degrees(_ radians: Double) -> Double { (radians * 180 / .pi + 360).truncatingRemainder(dividingBy: 360) }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        func damped(_ chroma: Double) -> Double { sqrt(pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7))) }

        let stretch = 1.5 - 0.5 * damped((hypot(one.y, one.z) + hypot(two.y, two.z)) / 2)
        let chroma = (hypot(one.y * stretch, one.z), hypot(two.y * stretch, two.z))
        let hue = (degrees(atan2(one.z, one.y * stretch)), degrees(atan2(two.z, two.y * stretch)))
        let isGray = chroma.0 * chroma.1 == 0
        var turn = isGray ? 0 : hue.1 - hue.0
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        let meanHue = isGray ? hue.0 + hue.1 : hue.0 + turn / 2
        let meanChroma = (chroma.0 + chroma.1) / 2
        let weight =
            1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue) + 0.32 * cosine(3 * meanHue + 6) - 0.20
            * cosine(4 * meanHue - 63)
        let middle = pow((one.x + two.x) / 2 - 50, 2)
        let lightness = (two.x - one.x) / (1 + 0.015 * middle / sqrt(20 + middle))
        let saturation = (chroma.1 - chroma.0) / (1 + 0.045 * meanChroma)
        let tint = 2 * sqrt(chroma.0 * chroma.1) * sin(turn * .pi / 360) / (1 + 0.015 * meanChroma * weight)
        let rotation = -2 * damped(meanChroma) * sin(60 * exp(-pow((meanHue - 275) / 25, 2)) * .pi / 180)
        return sqrt(
            lightness * lightness + saturation * saturation + tint * tint + rotation * saturation * tint)
    }

    /// The signal of a luminance in cd/m² in PQ (SMPTE ST 2084).
    static func pq(_ luminance: Double) -> Double {
        let power = pow(luminance / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// The signal of a gray in cd/m² in HLG, on a display of 1,000 cd/m² with its gamma of 1.2 (ITU-R BT.2100).
    static func hlg(_ luminance: Double) -> Double {
        let scene = pow(luminance / 1000, 1 / 1.2)
        return scene <= 1.0 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }
}

/// Columns of a 3×3 matrix.
private struct Matrix {
    let x: RGB, y: RGB, z: RGB

    /// From linear light in primaries of ffmpeg's name, with D65 as white, to XYZ (SMPTE RP 177).
    init(ofPrimaries name: String) {
        func xyz(_ x: Double, _ y: Double) -> RGB { RGB(x / y, 1, (1 - x - y) / y) }
        let primaries =
            switch name {
            case "smpte170m": Matrix(xyz(0.630, 0.340), xyz(0.310, 0.595), xyz(0.155, 0.070))
            case "bt470bg": Matrix(xyz(0.64, 0.33), xyz(0.29, 0.60), xyz(0.15, 0.06))
            case "bt2020": Matrix(xyz(0.708, 0.292), xyz(0.170, 0.797), xyz(0.131, 0.046))
            case "smpte432": Matrix(xyz(0.680, 0.320), xyz(0.265, 0.690), xyz(0.150, 0.060))
            default: Matrix(xyz(0.64, 0.33), xyz(0.30, 0.60), xyz(0.15, 0.06))
            }
        let white = primaries.solve(xyz(0.3127, 0.3290))
        self.init(primaries.x * white.x, primaries.y * white.y, primaries.z * white.z)
    }

    init(_ x: RGB, _ y: RGB, _ z: RGB) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    static func * (matrix: Matrix, color: RGB) -> RGB {
        matrix.x * color.x + matrix.y * color.y + matrix.z * color.z
    }

    /// What the matrix makes `result` of (Cramer's rule).
    func solve(_ result: RGB) -> RGB {
        func determinant(_ a: RGB, _ b: RGB, _ c: RGB) -> Double {
            a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
        }
        return RGB(determinant(result, y, z), determinant(x, result, z), determinant(x, y, result))
            / determinant(x, y, z)
    }
}

extension RGB {
    func map(_ transform: (Double) -> Double) -> RGB { RGB(transform(x), transform(y), transform(z)) }
}
