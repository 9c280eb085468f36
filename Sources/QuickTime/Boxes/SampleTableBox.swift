package import Bytes
import ISOBMFF

/// `stbl`: the offset, size and time of each sample (ISO/IEC 14496-12, 8.5.1). In `minf`.
package struct SampleTableBox: Box {
    package static var type: FourCC { "stbl" }

    package var descriptions: SampleDescriptionBox
    package var timeToSample: TimeToSampleBox
    package var compositionOffsets: CompositionOffsetBox?
    /// `cslg`.
    package var compositionToDecode: OpaqueBox?
    /// Nil if every sample is a sync sample.
    package var syncSamples: SyncSampleBox?
    /// `sdtp`.
    package var dependencies: OpaqueBox?
    package var sampleToChunk: SampleToChunkBox
    package var sampleSizes: SampleSizeBox
    package var chunkOffsets: ChunkOffsetBox
    package var others: [OpaqueBox] = []
}

extension SampleTableBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var descriptions: SampleDescriptionBox?
        var timeToSample: TimeToSampleBox?
        var sampleToChunk: SampleToChunkBox?
        var sampleSizes: SampleSizeBox?
        var chunkOffsets: ChunkOffsetBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case SampleDescriptionBox.type where descriptions == nil: descriptions = try child.read()
            case TimeToSampleBox.type where timeToSample == nil: timeToSample = try child.read()
            case CompositionOffsetBox.type where compositionOffsets == nil: compositionOffsets = try child.read()
            case "cslg" where compositionToDecode == nil: compositionToDecode = OpaqueBox(child)
            case SyncSampleBox.type where syncSamples == nil: syncSamples = try child.read()
            case "sdtp" where dependencies == nil: dependencies = OpaqueBox(child)
            case SampleToChunkBox.type where sampleToChunk == nil: sampleToChunk = try child.read()
            case SampleSizeBox.type where sampleSizes == nil: sampleSizes = try child.read()
            case SampleSizeBox.compactType where sampleSizes == nil: sampleSizes = try SampleSizeBox(compact: child)
            case ChunkOffsetBox.type where chunkOffsets == nil: chunkOffsets = try child.read()
            case ChunkOffsetBox.longType where chunkOffsets == nil:
                chunkOffsets = try ChunkOffsetBox(long: child.payload)
            default: others.append(OpaqueBox(child))
            }
        }
        guard let descriptions else { throw reader.missing(SampleDescriptionBox.type) }
        guard let timeToSample else { throw reader.missing(TimeToSampleBox.type) }
        guard let sampleToChunk else { throw reader.missing(SampleToChunkBox.type) }
        guard let sampleSizes else { throw reader.missing(SampleSizeBox.type) }
        guard let chunkOffsets else { throw reader.missing(ChunkOffsetBox.type) }
        self.descriptions = descriptions
        self.timeToSample = timeToSample
        self.sampleToChunk = sampleToChunk
        self.sampleSizes = sampleSizes
        self.chunkOffsets = chunkOffsets
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(descriptions)
        writer.box(timeToSample)
        writer.box(compositionOffsets)
        writer.box(compositionToDecode)
        writer.box(syncSamples)
        writer.box(dependencies)
        writer.box(sampleToChunk)
        writer.box(sampleSizes)
        writer.box(chunkOffsets)
        writer.boxes(others)
    }
}
