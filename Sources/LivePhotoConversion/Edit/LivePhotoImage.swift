import FFmpegKit
import MediaModel
import Synchronization

/// A picture in RGB: width times height pixels, row after row without gaps, each with red, green, blue and alpha.
///
/// The values have the transfer function of displays (sRGB). The pictures of a movie have BT.709's primaries; those of a
/// photo with an ICC profile have that profile's. HDR is tone-mapped before.
public struct LivePhotoImage: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    let samples: Samples

    /// Shared by copies of an image, so that an unchanged one is recognized. They may be converted from another picture, but
    /// not before they are needed.
    final class Samples: Sendable {
        private enum State {
            case ready(Content)
            case pending(@Sendable () throws -> Content, count: Int)
            case failed(any Error, Content)
        }

        private let state: Mutex<State>

        init(_ content: Content) { state = Mutex(.ready(content)) }

        /// - Parameter count: of the samples.
        init(count: Int, _ convert: @escaping @Sendable () throws -> Content) {
            state = Mutex(.pending(convert, count: count))
        }

        /// Black if the conversion failed.
        var content: Content {
            state.withLock { state in
                if case .pending(let convert, let count) = state {
                    do {
                        state = .ready(try convert())
                    } catch {
                        state = .failed(error, .eightBits([UInt8](repeating: 0, count: count)))
                    }
                }
                switch state {
                case .ready(let content), .failed(_, let content): return content
                case .pending: return .eightBits([])
                }
            }
        }

        /// Why the samples that were needed could not be converted; nil if they could, or were not needed.
        var failure: (any Error)? {
            state.withLock { if case .failed(let error, _) = $0 { error } else { nil } }
        }
    }

    enum Content: Sendable {
        case eightBits([UInt8])
        case sixteenBits([UInt16])
    }

    /// An image with 8 bits per component.
    ///
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - rgba: four values for each pixel, from 0 to 255. Alpha is ignored: photos and movies are opaque.
    /// - Returns: nil if the number of values is not four times the number of pixels.
    public init?(width: Int, height: Int, rgba: [UInt8]) {
        guard Self.count(width, height) == rgba.count else { return nil }
        (self.width, self.height, samples) = (width, height, Samples(.eightBits(rgba)))
    }

    /// An image with 16 bits per component.
    ///
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - rgba: four values for each pixel, from 0 to 65535. Alpha is ignored: photos and movies are opaque.
    /// - Returns: nil if the number of values is not four times the number of pixels.
    public init?(width: Int, height: Int, rgba: [UInt16]) {
        guard Self.count(width, height) == rgba.count else { return nil }
        (self.width, self.height, samples) = (width, height, Samples(.sixteenBits(rgba)))
    }

    private static func count(_ width: Int, _ height: Int) -> Int? {
        guard width > 0, height > 0 else { return nil }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let (values, overflow4) = pixels.multipliedReportingOverflow(by: 4)
        return overflow || overflow4 ? nil : values
    }

    /// Four values for each pixel, from 0 to 255: red, green, blue, alpha. Values of 16 bits are rounded.
    public var rgba: [UInt8] {
        switch samples.content {
        case .eightBits(let values): values
        case .sixteenBits(let values): values.map { UInt8((UInt32($0) * 255 + 32_767) / 65_535) }
        }
    }

    /// Four values for each pixel, from 0 to 65535: red, green, blue, alpha.
    public var rgba16: [UInt16] {
        switch samples.content {
        case .eightBits(let values): values.map { UInt16($0) * 257 }
        case .sixteenBits(let values): values
        }
    }

    /// The image after a change of its values, in place where possible.
    ///
    /// - Parameter change: receives red, green, blue and alpha of all pixels, from 0 to 255.
    public func changed<Failure: Error>(
        _ change: (inout MutableSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> LivePhotoImage {
        var values = rgba
        var span = values.mutableSpan
        try change(&span)
        return LivePhotoImage(width, height, .eightBits(values))
    }

    /// The image after a change of its values with 16 bits, in place where possible.
    ///
    /// - Parameter change: receives red, green, blue and alpha of all pixels, from 0 to 65535.
    public func changed16<Failure: Error>(
        _ change: (inout MutableSpan<UInt16>) throws(Failure) -> Void
    ) throws(Failure) -> LivePhotoImage {
        var values = rgba16
        var span = values.mutableSpan
        try change(&span)
        return LivePhotoImage(width, height, .sixteenBits(values))
    }

    private init(_ width: Int, _ height: Int, _ content: Content) {
        (self.width, self.height, samples) = (width, height, Samples(content))
    }
}

extension LivePhotoImage {
    /// An image that is converted when its values are needed.
    init(_ size: PixelSize, _ convert: @escaping @Sendable () throws -> LivePhotoImage) {
        (width, height) = (size.width, size.height)
        samples = Samples(count: 4 * size.width * size.height) { try convert().samples.content }
    }

    /// - Parameter frame: of libav's format `rgba` or `rgba64le`.
    init(_ frame: Frame) throws(LibavError) {
        let bytes = try frame.packedPixels()
        (width, height) = (frame.size.width, frame.size.height)
        guard frame.pixelFormat.bitsPerComponent > 8 else {
            samples = Samples(.eightBits(bytes))
            return
        }
        let span = bytes.span
        samples = Samples(
            .sixteenBits(
                [UInt16](unsafeUninitializedCapacity: bytes.count / 2) { values, count in
                    count = bytes.count / 2
                    for index in 0..<count {
                        let high = UInt16(span[unchecked: 2 * index + 1]) << 8
                        values[index] = high | UInt16(span[unchecked: 2 * index])
                    }
                }))
    }

    /// The picture in libav's format `rgba` or `rgba64le`.
    func frame() throws(LibavError) -> Frame {
        let size = PixelSize(width: width, height: height)
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: true)
        switch samples.content {
        case .eightBits(let values): return try Frame(size: size, format: "rgba", color: color, planes: [values])
        case .sixteenBits(let values):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(values.count * 2)
            for value in values {
                bytes.append(UInt8(value & 0xFF))
                bytes.append(UInt8(value >> 8))
            }
            return try Frame(size: size, format: "rgba64le", color: color, planes: [bytes])
        }
    }
}
