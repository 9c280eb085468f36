package import ISOBMFF

/// `minf`: the media-specific header and the sample table (ISO/IEC 14496-12, 8.4.4). In `mdia`.
package struct MediaInformationBox: Box {
    package static var type: FourCC { "minf" }

    package var videoHeader: VideoMediaHeaderBox?
    package var soundHeader: SoundMediaHeaderBox?
    package var baseHeader: BaseMediaHeaderBox?
    /// Where the data is; QuickTime movies have it, ISO files do not.
    package var dataHandler: HandlerBox?
    package var dataInformation: DataInformationBox?
    package var sampleTable: SampleTableBox
    package var others: [OpaqueBox] = []

    /// The boxes of a QuickTime movie whose samples are in the same file.
    init(
        videoHeader: VideoMediaHeaderBox? = nil, soundHeader: SoundMediaHeaderBox? = nil,
        baseHeader: BaseMediaHeaderBox? = nil, sampleTable: SampleTableBox
    ) {
        self.videoHeader = videoHeader
        self.soundHeader = soundHeader
        self.baseHeader = baseHeader
        self.dataHandler = .data
        self.dataInformation = DataInformationBox(references: .sameFile)
        self.sampleTable = sampleTable
    }
}

extension MediaInformationBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var sampleTable: SampleTableBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case VideoMediaHeaderBox.type where videoHeader == nil: videoHeader = try child.read()
            case SoundMediaHeaderBox.type where soundHeader == nil: soundHeader = try child.read()
            case BaseMediaHeaderBox.type where baseHeader == nil: baseHeader = try child.read()
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
        writer.box(videoHeader)
        writer.box(soundHeader)
        writer.box(baseHeader)
        writer.box(dataHandler)
        writer.box(dataInformation)
        writer.box(sampleTable)
        writer.boxes(others)
    }
}
