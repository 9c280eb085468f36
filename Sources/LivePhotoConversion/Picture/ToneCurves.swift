import LivePhotoRequests

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Exposure, white balance and contrast as a curve for each component of RGB, and saturation as a matrix: filters for RGB
/// with 16 bits and the transfer function of displays.
struct ToneCurves {
    private let adjustments: Adjustments

    /// The exponent of displays, near enough to those of sRGB and BT.709.
    private static let gamma = 2.2
    /// Where the roll-off of bright parts begins, as a part of the signal.
    private static let knee = 0.75
    /// The weights of red, green and blue in BT.709's luminance.
    private static let weights = [0.2126, 0.7152, 0.0722]

    init(_ adjustments: Adjustments) {
        self.adjustments = adjustments
    }

    var filters: [String] {
        let names = ["r", "g", "b"]
        let curves = zip(names, gains).map { "\($0)='\(curve(gain: $1))'" }.joined(separator: ":")
        return ["lutrgb=\(curves)"] + saturation
    }

    /// The factor for the light of each component.
    private var gains: [Double] {
        let warmth = Double(adjustments.warmth?.value ?? 0) / 100
        let tint = Double(adjustments.tint?.value ?? 0) / 100
        let balance = [exp2(0.5 * warmth + 0.15 * tint), exp2(-0.3 * tint), exp2(-0.5 * warmth + 0.15 * tint)]
        // White balance keeps the luminance of gray.
        let luminance = zip(balance, Self.weights).reduce(0) { $0 + $1.0 * $1.1 }
        let exposure = exp2(adjustments.exposure?.stops ?? 0)
        return balance.map { $0 / luminance * exposure }
    }

    /// The curve of a component, in the syntax of libavfilter's expressions: `val` and `maxval` are the signal.
    private func curve(gain: Double) -> String {
        let slope = pow(gain, 1 / Self.gamma)
        var steps = ["st(0,val/maxval*\(slope))"]
        if let rollOff = Self.rollOff(peak: slope) {
            let knee = Self.knee
            let range = (1 - knee) / (1 - exp(-rollOff * (slope - knee)))
            steps.append("st(0,if(lte(ld(0),\(knee)),ld(0),\(knee)+\(range)*(1-exp(-\(rollOff)*(ld(0)-\(knee))))))")
        }
        let contrast = Double(adjustments.contrast?.value ?? 0) / 100
        // The S-curve 3x² - 2x³ keeps black, white and the middle.
        if contrast != 0 { steps.append("st(0,ld(0)+\(contrast)*(ld(0)*ld(0)*(3-2*ld(0))-ld(0)))") }
        return steps.joined(separator: ";") + ";clip(ld(0)*maxval,0,maxval)"
    }

    /// How fast a signal approaches `peak` above the knee so that `peak` becomes 1 and the curve has no bend at the knee; nil
    /// for a signal that does not exceed 1.
    private static func rollOff(peak: Double) -> Double? {
        guard peak > 1.001 else { return nil }
        // The slope at the knee is 1 where this is 0. It is negative for small factors and grows without limit.
        func error(_ factor: Double) -> Double { (1 - knee) * factor - (1 - exp(-factor * (peak - knee))) }
        var (low, high) = (1e-6, 1 / (1 - knee) + 1)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if error(middle) < 0 { low = middle } else { high = middle }
        }
        return high
    }

    private var saturation: [String] {
        let factor = 1 + Double(adjustments.saturation?.value ?? 0) / 100
        guard factor != 1 else { return [] }
        let names = ["r", "g", "b"]
        let terms = names.indices.flatMap { output in
            names.indices.map { input in
                let share = (1 - factor) * Self.weights[input] + (input == output ? factor : 0)
                return "\(names[output])\(names[input])=\(share)"
            }
        }
        return ["colorchannelmixer=" + terms.joined(separator: ":")]
    }
}
