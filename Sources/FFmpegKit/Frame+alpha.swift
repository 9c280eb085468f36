import CFFmpeg
package import MediaModel

extension Frame {
    /// Whether any pixel of `part` has alpha below the maximum; false for a format without alpha.
    ///
    /// Only the upper 8 bits count: programs that increase the bit depth often shift alpha, so 4080 of 4095 is opaque.
    package func isTransparent(in part: PixelRectangle) -> Bool {
        let left = min(max(part.x, 0), size.width)
        let top = min(max(part.y, 0), size.height)
        let columns = min(max(part.x + part.width, left), size.width) - left
        let rows = top..<min(max(part.y + part.height, top), size.height)
        guard columns > 0, let alpha = AlphaSamples(self) else { return false }
        return rows.contains { alpha.isTransparent(row: $0, from: left, columns) }
    }
}

/// The location and encoding of a picture's alpha samples.
private struct AlphaSamples {
    private enum Kind {
        /// Unsigned integers in words of this many bytes, with `excess` bits below the upper 8 of alpha.
        case integer(bytes: Int, excess: Int)
        /// IEEE 754 from 0 to 1, of this many bytes. Read as signed integers, they have the same order.
        case float(bytes: Int)
        /// One-byte indices into a palette; whether each of its entries is transparent.
        case palette([Bool])
    }

    private let plane: UnsafeRawPointer
    /// The distances between rows and between pixels, in bytes.
    private let stride: (row: Int, pixel: Int)
    private let kind: Kind
    private let isBigEndian: Bool

    /// Nil for a picture without alpha, or with a palette without transparent entries.
    init?(_ frame: Frame) {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointer.pointee.format)),
            descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        else { return nil }
        let components = [
            descriptor.pointee.comp.0, descriptor.pointee.comp.1, descriptor.pointee.comp.2, descriptor.pointee.comp.3,
        ]
        let isPalette = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
        // libavutil/pixdesc.h: "If present, the Alpha channel is always the last component."
        let component = components[isPalette ? 0 : max(Int(descriptor.pointee.nb_components) - 1, 0)]
        let planes = frame.planes
        guard planes.indices.contains(Int(component.plane)), let start = planes[Int(component.plane)].start else {
            return nil
        }
        plane = UnsafeRawPointer(start) + Int(component.offset)
        stride = (planes[Int(component.plane)].stride, Int(component.step))
        isBigEndian = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
        let depth = Int(component.depth)
        let bytes = depth + Int(component.shift) <= 8 ? 1 : depth <= 16 ? 2 : 4
        if isPalette {
            guard let transparent = Self.transparentEntries(planes[1].start) else { return nil }
            kind = .palette(transparent)
        } else if descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0 {
            kind = .float(bytes: bytes)
        } else {
            kind = .integer(bytes: bytes, excess: max(Int(component.shift) + depth - 8, 0))
        }
    }

    /// libavutil/pixfmt.h: 256 words of 32 bits in the machine's order, alpha highest. Nil if all are opaque.
    private static func transparentEntries(_ palette: UnsafeMutablePointer<UInt8>?) -> [Bool]? {
        guard let palette else { return nil }
        let entries = (0..<256).map {
            UnsafeRawPointer(palette).loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) >> 24 < 255
        }
        return entries.contains(true) ? entries : nil
    }

    func isTransparent(row: Int, from left: Int, _ columns: Int) -> Bool {
        let start = plane + row * stride.row + left * stride.pixel
        switch kind {
        case .palette(let transparent):
            return (0..<columns).contains { transparent[Int(start.load(fromByteOffset: $0, as: UInt8.self))] }
        case .integer(1, _):
            return lowest(UInt8.self, start, columns) { $0 } < 255
        case .integer(2, let excess):
            return lowest(UInt16.self, start, columns) { UInt8(truncatingIfNeeded: $0 >> excess) } < 255
        case .integer(_, let excess):
            return lowest(UInt32.self, start, columns) { UInt8(truncatingIfNeeded: $0 >> excess) } < 255
        // 255/256 in half and in single precision.
        case .float(2):
            return lowest(UInt16.self, start, columns) { Int16(bitPattern: $0) } < 0x3BF8
        case .float:
            return lowest(UInt32.self, start, columns) { Int32(bitPattern: $0) } < 0x3F7F_0000
        }
    }

    /// The lowest value of a row. The loop has no early exit, so that the compiler can vectorize it.
    @inline(__always)
    private func lowest<Word: FixedWidthInteger, Value: FixedWidthInteger>(
        _: Word.Type, _ start: UnsafeRawPointer, _ columns: Int, _ value: (Word) -> Value
    ) -> Value {
        var lowest = Value.max
        for column in 0..<columns {
            let word = start.loadUnaligned(fromByteOffset: column * stride.pixel, as: Word.self)
            lowest = min(lowest, value(isBigEndian ? Word(bigEndian: word) : Word(littleEndian: word)))
        }
        return lowest
    }
}
