import CFFmpeg
import MediaModel

/// How bright light is compressed into what a display of SDR can show; 1 is diffuse white.
///
/// Formulas and parameters are those of libavfilter's filter `tonemap`, for a peak of ten times diffuse white.
package enum ToneCurve: Sendable, Hashable {
    /// Nothing changes up to this value.
    case mobius(linearTo: Float)
    /// The parameter is the result for diffuse white, without the peak.
    case reinhard(Float)
    case hable
    case clip

    fileprivate static let peak: Float = 10
}

/// Tone-maps pictures: multiplies the components of each pixel by a factor that follows from the largest one, so hues do not
/// change. Colours outside of BT.709, which have negative components, are mixed with the gray of the same luminance until
/// none is negative; clipping them would change hue and luminance.
///
/// It reuses the memory of its last result if nobody else has it anymore.
package final class ToneMapper {
    private let curve: ToneCurve
    private var last: Frame?

    package init(_ curve: ToneCurve) {
        self.curve = curve
    }

    /// - Parameter picture: linear light with the primaries of BT.709, in 32-bit floating point (`gbrpf32le`).
    /// - Throws: `LibavError`, also for a picture of another format.
    package func map(_ picture: Frame) throws(LibavError) -> Frame {
        guard picture.pixelFormat.name == "gbrpf32le" else {
            throw LibavError(call: "tonemap", code: AVErrorInvalidArgument)
        }
        let result = try target(like: picture)
        let (sources, targets) = (picture.planes, result.planes)
        for row in 0..<picture.size.height {
            // libav's order is green, blue, red.
            guard let source = Row(sources, row), let target = Row(targets, row) else {
                throw LibavError(call: "tonemap", code: AVErrorInvalidArgument)
            }
            switch curve {
            case .mobius(let linear): source.map(to: target, count: picture.size.width, Mobius(linearTo: linear))
            case .reinhard(let white): source.map(to: target, count: picture.size.width, Reinhard(white))
            case .hable: source.map(to: target, count: picture.size.width, Hable())
            case .clip: source.map(to: target, count: picture.size.width, Clip())
            }
        }
        return result
    }

    private func target(like picture: Frame) throws(LibavError) -> Frame {
        // `last` and the frame's buffers have no other owner, so nobody can see that it changes.
        if isKnownUniquelyReferenced(&last), let last, last.size == picture.size,
            av_frame_is_writable(last.pointer) > 0
        {
            try check(av_frame_copy_props(last.pointer, picture.pointer), "av_frame_copy_props")
            return last
        }
        let result = try Frame(unfilledLike: picture)
        last = result
        return result
    }
}

/// The components of a row of pixels.
private struct Row {
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>

    init?(_ planes: [(start: UnsafeMutablePointer<UInt8>?, stride: Int)], _ row: Int) {
        func line(_ index: Int) -> UnsafeMutablePointer<Float>? {
            planes[index].start.map {
                UnsafeMutableRawPointer($0 + row * planes[index].stride).assumingMemoryBound(to: Float.self)
            }
        }
        guard let green = line(0), let blue = line(1), let red = line(2) else { return nil }
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    func map(to target: Row, count: Int, _ curve: some VectorCurve) {
        var column = 0
        while column + Values.scalarCount <= count {
            let pixels = Self.map(load(red, column), load(green, column), load(blue, column), curve)
            store(pixels.red, target.red, column)
            store(pixels.green, target.green, column)
            store(pixels.blue, target.blue, column)
            column += Values.scalarCount
        }
        while column < count {
            let pixel = Self.map(
                Values(repeating: red[column]), Values(repeating: green[column]), Values(repeating: blue[column]), curve
            )
            target.red[column] = pixel.red[0]
            target.green[column] = pixel.green[0]
            target.blue[column] = pixel.blue[0]
            column += 1
        }
    }

    @inline(__always)
    private static func map(
        _ red: Values, _ green: Values, _ blue: Values, _ curve: some VectorCurve
    ) -> (red: Values, green: Values, blue: Values) {
        // tonemap takes this for black.
        let largest = larger(larger(larger(red, green), blue), Values(repeating: 1e-6))
        let scale = curve.map(largest) / largest
        let (red, green, blue) = (red * scale, green * scale, blue * scale)
        // The weights of BT.709.
        let luminance: Values = red * 0.2126 + green * 0.7152 + blue * 0.0722
        let least = smaller(smaller(red, green), blue)
        let gray = larger(luminance, Values.zero)
        // Colours inside keep their components exactly.
        let saturation = (gray / larger(gray - least, Values(repeating: 1e-9)))
            .replacing(with: Values(repeating: 1), where: least .>= Values.zero)
        return (
            gray + (red - gray) * saturation, gray + (green - gray) * saturation, gray + (blue - gray) * saturation
        )
    }

    @inline(__always)
    private func load(_ start: UnsafeMutablePointer<Float>, _ column: Int) -> Values {
        UnsafeRawPointer(start + column).loadUnaligned(as: Values.self)
    }

    @inline(__always)
    private func store(_ values: Values, _ start: UnsafeMutablePointer<Float>, _ column: Int) {
        UnsafeMutableRawPointer(start + column).storeBytes(of: values, as: Values.self)
    }
}

private typealias Values = SIMD8<Float>

/// `pointwiseMax` treats NaN separately, which takes twice the time.
@inline(__always)
private func larger(_ first: Values, _ second: Values) -> Values {
    first.replacing(with: second, where: second .> first)
}

@inline(__always)
private func smaller(_ first: Values, _ second: Values) -> Values {
    first.replacing(with: second, where: second .< first)
}

/// A `ToneCurve` for several pixels.
private protocol VectorCurve {
    /// - Parameter light: the largest component of each pixel; above 0.
    func map(_ light: Values) -> Values
}

private struct Mobius: VectorCurve {
    private let linear: Values
    private let (a, b, factor): (Float, Float, Float)

    init(linearTo linear: Float) {
        let (square, peak) = (linear * linear, ToneCurve.peak)
        self.linear = Values(repeating: linear)
        a = -square * (peak - 1) / (square - 2 * linear + peak)
        b = (square - 2 * linear * peak + peak) / (peak - 1)
        factor = (b * b + 2 * b * linear + square) / (b - a)
    }

    @inline(__always)
    func map(_ light: Values) -> Values {
        ((light + a) / (light + b) * factor).replacing(with: light, where: light .<= linear)
    }
}

private struct Reinhard: VectorCurve {
    private let (parameter, factor): (Float, Float)

    init(_ white: Float) {
        parameter = (1 - white) / white
        factor = (ToneCurve.peak + parameter) / ToneCurve.peak
    }

    @inline(__always)
    func map(_ light: Values) -> Values { light / (light + parameter) * factor }
}

/// John Hable's curve for "Uncharted 2".
private struct Hable: VectorCurve {
    private let white = Hable.curve(Values(repeating: ToneCurve.peak))

    @inline(__always)
    private static func curve(_ x: Values) -> Values {
        let numerator: Values = x * (x * 0.15 + 0.05) + 0.004
        let denominator: Values = x * (x * 0.15 + 0.5) + 0.06
        return numerator / denominator - Float(0.02 / 0.3)
    }

    @inline(__always)
    func map(_ light: Values) -> Values { Hable.curve(light) / white }
}

private struct Clip: VectorCurve {
    @inline(__always)
    func map(_ light: Values) -> Values { smaller(light, Values(repeating: 1)) }
}
