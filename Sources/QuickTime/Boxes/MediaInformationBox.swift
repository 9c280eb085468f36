package import Bytes
import ISOBMFF

/// `minf`: the media-specific header and the sample table (ISO/IEC 14496-12, 8.4.4). In `mdia`.
package struct MediaInformationBox: Box {
    package static var type: FourCC { "minf" }

    /// `vmhd`, `smhd` or `gmhd`.
    package var mediaHeader: OpaqueBox?
    /// The handler of the data, which QuickTime movies have and ISO files do not.
    package var dataHandler: HandlerBox?
    package var dataInformation: DataInformationBox?
    package var sampleTable: SampleTableBox
    package var others: [OpaqueBox] = []

    /// The boxes of a QuickTime movie whose samples are in the same file.
    init(mediaHeader: OpaqueBox, sampleTable: SampleTableBox) {
        self.mediaHeader = mediaHeader
        self.dataHandler = .data
        self.dataInformation = DataInformationBox(references: .sameFile)
        self.sampleTable = sampleTable
    }
}

extension MediaInformationBox {
    /// Smallest payloads of the media headers.
    private static let headerSizes: [FourCC: Int] = ["vmhd": 12, "smhd": 8, "gmhd": 0]

    package init(from reader: inout ByteReader) throws(ParseError) {
        var sampleTable: SampleTableBox?
        while let child = try reader.nextBox() {
            if mediaHeader == nil, let size = Self.headerSizes[child.type] {
                guard child.payload.remaining >= size else {
                    throw child.payload.error(.truncated, expected: "\(size) bytes")
                }
                mediaHeader = OpaqueBox(child)
                continue
            }
            switch child.type {
            case HandlerBox.type where dataHandler == nil: dataHandler = try child.read()
            case DataInformationBox.type where dataInformation == nil: dataInformation = try child.read()
            case SampleTableBox.type where sampleTable == nil: sampleTable = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
        guard let sampleTable else { throw reader.missing(SampleTableBox.type) }
        self.sampleTable = sampleTable
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(mediaHeader)
        writer.box(dataHandler)
        writer.box(dataInformation)
        writer.box(sampleTable)
        writer.boxes(others)
    }
}

extension OpaqueBox {
    /// QuickDraw's transfer mode "dither copy" and grey, which Apple's writers put into every track.
    private static let ditherCopy: [UInt8] = [0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0]

    /// `vmhd`, with flag 1 as specified (QuickTime File Format, "Video media information header atoms").
    static let videoMediaHeader = OpaqueBox(type: "vmhd", payload: [0, 0, 0, 1] + ditherCopy)
    /// `smhd`: sound in the middle (ISO/IEC 14496-12, 12.2.2).
    static let soundMediaHeader = OpaqueBox("smhd") { $0.zeros(8) }
    /// `gmhd` with `gmin`, for other media (QuickTime File Format, "Base media information header atoms").
    static let baseMediaHeader = OpaqueBox("gmhd") { header in
        header.box("gmin") { $0.append([0, 0, 0, 0] + ditherCopy + [0, 0, 0, 0]) }
    }
}
