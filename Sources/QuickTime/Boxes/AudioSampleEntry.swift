package import Bytes
import ISOBMFF

/// `mp4a`, `lpcm` or another audio format (QuickTime File Format, "Sound sample descriptions"; ISO/IEC 14496-12,
/// 12.2.3). In `stsd`.
package struct AudioSampleEntry: SampleEntry {
    /// The three versions of QuickTime's sound description; ISO files use version 0.
    package enum Layout: Sendable, Hashable {
        case version0
        case version1(Packets)
        case version2(LinearPCM)
    }

    /// The fields that version 1 adds.
    package struct Packets: Sendable, Hashable {
        package var samplesPerPacket: UInt32
        package var bytesPerPacket: UInt32
        package var bytesPerFrame: UInt32
        package var bytesPerSample: UInt32
    }

    /// The fields that version 2 adds.
    package struct LinearPCM: Sendable, Hashable {
        package var structureSize: UInt32
        package var sampleRate: Double
        package var channelCount: UInt32
        /// The constant 0x7F000000, bits a channel, format flags, bytes and frames a packet.
        package var otherFields: [UInt8]
    }

    package var type: FourCC
    package var dataReferenceIndex: UInt16 = 1
    package var layout: Layout
    package var revision: UInt16 = 0
    package var vendor = FourCC(rawValue: 0)
    /// As stored; `channels` accounts for version 2.
    package var channelCount: UInt16
    package var sampleSize: UInt16 = 16
    package var compressionID: Int16
    package var packetSize: UInt16 = 0
    /// As stored, 16.16 fixed point; `rate` accounts for version 2.
    package var sampleRate: UInt32
    package var wave: SoundWaveBox?
    package var streamDescriptor: ESDescriptorBox?
    package var others: [OpaqueBox] = []

    /// Variable bit rate: the compression id of formats like AAC.
    static let variableBitRate: Int16 = -2
    /// Bytes before the boxes in version 0.
    static let fieldsSize = 28

    package var channels: Int {
        if case .version2(let format) = layout { Int(format.channelCount) } else { Int(channelCount) }
    }

    /// Samples a second.
    package var rate: Double {
        if case .version2(let format) = layout { format.sampleRate } else { Double(sampleRate) / 65536 }
    }

    /// The stream descriptor of MPEG-4 audio: in `wave` in QuickTime movies, in the entry itself in ISO files.
    package var elementaryStream: ESDescriptorBox? { streamDescriptor ?? wave?.streamDescriptor }
}

extension AudioSampleEntry {
    package init(type: FourCC, from reader: inout ByteReader) throws(ParseError) {
        self.type = type
        dataReferenceIndex = try reader.dataReferenceIndex()
        let version = try reader.integer(UInt16.self)
        revision = try reader.integer()
        vendor = try reader.fourCC()
        channelCount = try reader.integer()
        sampleSize = try reader.integer()
        compressionID = try reader.integer()
        packetSize = try reader.integer()
        sampleRate = try reader.integer()
        switch version {
        case 0: layout = .version0
        case 1: layout = .version1(try Packets(from: &reader))
        case 2: layout = .version2(try LinearPCM(from: &reader))
        default: throw reader.error(.unsupported, expected: "a sound description of version 0 to 2, found \(version)")
        }
        while let child = try reader.nextBox() {
            switch child.type {
            case SoundWaveBox.type where wave == nil: wave = try child.read()
            case ESDescriptorBox.type where streamDescriptor == nil: streamDescriptor = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.dataReferenceIndex(dataReferenceIndex)
        let version: UInt16 =
            switch layout {
            case .version0: 0
            case .version1: 1
            case .version2: 2
            }
        writer.integer(version)
        writer.integer(revision)
        writer.fourCC(vendor)
        writer.integer(channelCount)
        writer.integer(sampleSize)
        writer.integer(compressionID)
        writer.integer(packetSize)
        writer.integer(sampleRate)
        switch layout {
        case .version0: break
        case .version1(let packets): packets.write(to: &writer)
        case .version2(let format): format.write(to: &writer)
        }
        writer.box(wave)
        writer.box(streamDescriptor)
        writer.boxes(others)
    }
}

extension AudioSampleEntry.Packets {
    init(from reader: inout ByteReader) throws(ParseError) {
        samplesPerPacket = try reader.integer()
        bytesPerPacket = try reader.integer()
        bytesPerFrame = try reader.integer()
        bytesPerSample = try reader.integer()
    }

    func write(to writer: inout ByteWriter) {
        for field in [samplesPerPacket, bytesPerPacket, bytesPerFrame, bytesPerSample] { writer.integer(field) }
    }
}

extension AudioSampleEntry.LinearPCM {
    init(from reader: inout ByteReader) throws(ParseError) {
        structureSize = try reader.integer()
        sampleRate = Double(bitPattern: try reader.integer())
        channelCount = try reader.integer()
        otherFields = try reader.bytes(20)
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(structureSize)
        writer.integer(sampleRate.bitPattern)
        writer.integer(channelCount)
        writer.append(otherFields)
    }
}
