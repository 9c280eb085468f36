package import Bytes
import ISOBMFF

/// `esds`: the elementary stream descriptor of MPEG-4 audio (ISO/IEC 14496-14, 5.6; ISO/IEC 14496-1, 7.2.6). In
/// `wave`, or in an ISO file in the sample entry.
package struct ESDescriptorBox: Box {
    package static var type: FourCC { "esds" }

    package var streamID: UInt16 = 0
    /// objectTypeIndication: 0x40 is MPEG-4 audio.
    package var objectType: UInt8 = 0x40
    /// streamType and upStream; 0x15 is an audio stream.
    package var streamType: UInt8 = 0x15
    /// Bytes of the decoder's input buffer; 24 bits.
    package var bufferSize: UInt32
    /// Bits a second, at most.
    package var maximumBitRate: UInt32
    /// Bits a second.
    package var averageBitRate: UInt32
    /// An AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
    package var decoderSpecificInfo: [UInt8]
}

extension ESDescriptorBox {
    /// Class tags of ISO/IEC 14496-1, table 1.
    private enum Tag {
        static let stream: UInt8 = 3
        static let decoderConfiguration: UInt8 = 4
        static let decoderSpecificInfo: UInt8 = 5
        static let synchronization: UInt8 = 6
    }

    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        var stream = try reader.descriptor(Tag.stream)
        streamID = try stream.integer()
        let flags = try stream.integer(UInt8.self)
        if flags & 0x80 != 0 { try stream.skip(2) }
        if flags & 0x40 != 0 { try stream.skip(Int(try stream.integer(UInt8.self))) }
        if flags & 0x20 != 0 { try stream.skip(2) }
        var decoder = try stream.descriptor(Tag.decoderConfiguration)
        objectType = try decoder.integer()
        streamType = try decoder.integer()
        bufferSize = UInt32(try decoder.integer(UInt8.self)) << 16 | UInt32(try decoder.integer(UInt16.self))
        maximumBitRate = try decoder.integer()
        averageBitRate = try decoder.integer()
        guard !decoder.isAtEnd else {
            decoderSpecificInfo = []
            return
        }
        var info = try decoder.descriptor(Tag.decoderSpecificInfo)
        decoderSpecificInfo = info.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.descriptor(Tag.stream) { stream in
            stream.integer(streamID)
            stream.integer(UInt8(0))
            stream.descriptor(Tag.decoderConfiguration) { decoder in
                decoder.integer(objectType)
                decoder.integer(streamType)
                decoder.integer(UInt8(truncatingIfNeeded: bufferSize >> 16))
                decoder.integer(UInt16(truncatingIfNeeded: bufferSize))
                decoder.integer(maximumBitRate)
                decoder.integer(averageBitRate)
                decoder.descriptor(Tag.decoderSpecificInfo) { $0.append(decoderSpecificInfo) }
            }
            // 2: as in an MP4 file (ISO/IEC 14496-14, 3.1.2).
            stream.descriptor(Tag.synchronization) { $0.integer(UInt8(2)) }
        }
    }
}

extension ByteReader {
    /// The content of the next descriptor, which must have this tag.
    fileprivate mutating func descriptor(_ tag: UInt8) throws(ParseError) -> ByteReader {
        let found = try integer(UInt8.self)
        guard found == tag else { throw error(.invalidValue, expected: "a descriptor of tag \(tag), found \(found)") }
        var size = 0
        // Seven bits a byte, the top bit set in all but the last of at most four.
        for _ in 0..<4 {
            let byte = try integer(UInt8.self)
            size = size << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return try reader(size, structure: structure)
    }
}

extension ByteWriter {
    /// A descriptor with a size of four bytes, as Apple's writers write it.
    fileprivate mutating func descriptor(_ tag: UInt8, _ content: (inout ByteWriter) -> Void) {
        integer(tag)
        let start = count
        zeros(4)
        content(&self)
        let size = UInt32(count - start - 4)
        let septets = (size >> 21 & 0x7F) << 24 | (size >> 14 & 0x7F) << 16 | (size >> 7 & 0x7F) << 8 | size & 0x7F
        patch(septets | 0x8080_8000, at: start)
    }
}
