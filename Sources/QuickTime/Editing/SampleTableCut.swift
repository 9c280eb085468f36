import Bytes
import ISOBMFF

/// The sample tables of consecutive samples of a track, which stay at their places in the file.
///
/// Tables are cut by their entries and never expanded, because a small file can claim billions of samples.
struct SampleTableCut {
    private let samples: SampleSequence
    /// In decode order.
    private let kept: Range<Int>
    private let durations: [TimeToSampleBox.Entry]
    /// Empty without `ctts`.
    private let offsets: [CompositionOffsetBox.Entry]
    /// The decode time of the first kept sample in the old media, which is 0 in the new one, in ticks.
    let start: Int64
    /// The duration of the kept samples, in ticks.
    let duration: Int64
    /// When the first of the kept samples is presented and the last one ends, in ticks after `start`.
    private let composition: Range<Int64>

    /// - Parameter kept: at least one sample of the table.
    init(_ samples: SampleSequence, keeping kept: Range<Int>) {
        self.samples = samples
        self.kept = kept
        let table = samples.table
        durations = Self.part(of: table.timeToSample.entries, kept, count: \.count)
        offsets = Self.part(of: table.compositionOffsets?.entries ?? [], kept, count: \.count)
        start = Self.part(of: table.timeToSample.entries, 0..<kept.lowerBound, count: \.count).ticks
        duration = durations.ticks
        composition = Self.composition(durations, offsets)
    }

    /// The entries that describe some samples, shortened to them.
    ///
    /// - Parameter count: the number of samples of an entry.
    private static func part<Entry>(
        of entries: [Entry], _ kept: Range<Int>, count: WritableKeyPath<Entry, UInt32>
    ) -> [Entry] {
        var part: [Entry] = []
        var place = 0
        for var entry in entries where place < kept.upperBound {
            let covered = (place..<place + Int(entry[keyPath: count])).clamped(to: kept)
            place += Int(entry[keyPath: count])
            guard !covered.isEmpty else { continue }
            entry[keyPath: count] = UInt32(covered.count)
            part.append(entry)
        }
        return part
    }

    /// The presentation times of samples, from their runs of equal durations and offsets.
    private static func composition(
        _ durations: [TimeToSampleBox.Entry], _ offsets: [CompositionOffsetBox.Entry]
    ) -> Range<Int64> {
        var (first, end) = (Int64.max, Int64.min)
        var ticks: Int64 = 0
        var (index, left) = (0, offsets.first?.count ?? .max)
        for entry in durations {
            var count = entry.count
            while count > 0 {
                let run = min(count, left)
                let offset = index < offsets.count ? Int64(offsets[index].offset) : 0
                first = min(first, ticks + offset)
                ticks += Int64(run) * Int64(entry.duration)
                end = max(end, ticks + offset)
                (count, left) = (count - run, left - run)
                if left == 0 {
                    index += 1
                    left = index < offsets.count ? offsets[index].count : .max
                }
            }
        }
        return first <= end ? first..<end : 0..<0
    }

    /// How much later the samples are presented in the new media than their offsets state: composition times of QuickTime
    /// movies may be before the decode times, but not before the start of the media.
    var shift: Int64 { max(0, -composition.lowerBound) }
}

extension [TimeToSampleBox.Entry] {
    fileprivate var ticks: Int64 { reduce(0) { $0 + Int64($1.count) * Int64($1.duration) } }
}

extension SampleTableCut {
    /// Boxes that do not depend on the samples of the track.
    private static let independentTypes: Set<FourCC> = ["sgpd", "free", "skip", "wide"]

    /// Replaces the tables among the boxes in `stbl`. Tables of unknown kinds, which would describe other samples, are
    /// removed.
    ///
    /// - Throws: `MovieEditError.damaged` for times that do not fit.
    func apply(to boxes: inout [OpaqueBox]) throws {
        let (toChunk, chunkOffsets) = chunks()
        boxes = try boxes.compactMap { box in
            switch box.type {
            case SampleDescriptionBox.type: box
            case TimeToSampleBox.type: OpaqueBox(writing: timeToSample)
            case CompositionOffsetBox.type: OpaqueBox(writing: try compositionOffsets())
            case "cslg": compositionToDecode(box)
            case SyncSampleBox.type, "stps": syncSamples(box)
            case "sdtp": dependencies(box)
            case SampleToChunkBox.type: OpaqueBox(writing: toChunk)
            case SampleSizeBox.type, SampleSizeBox.compactType: OpaqueBox(writing: sampleSizes)
            case ChunkOffsetBox.type, ChunkOffsetBox.longType: OpaqueBox(writing: chunkOffsets)
            case "sbgp": sampleGroups(box)
            default: Self.independentTypes.contains(box.type) ? box : nil
            }
        }
    }

    private var timeToSample: TimeToSampleBox {
        var box = samples.table.timeToSample
        box.entries = durations
        return box
    }

    private func compositionOffsets() throws -> CompositionOffsetBox {
        var box = samples.table.compositionOffsets ?? CompositionOffsetBox(offsets: [])
        box.entries = offsets
        guard shift > 0 else { return box }
        // Samples after the end of the table have the offset 0.
        let missing = kept.count - offsets.reduce(0) { $0 + Int($1.count) }
        if missing > 0 { box.entries.append(.init(count: UInt32(missing), offset: 0)) }
        for index in box.entries.indices {
            guard let offset = Int32(exactly: Int64(box.entries[index].offset) + shift) else {
                throw MovieEditError.damaged(
                    ParseError(.overLimit, in: "\(CompositionOffsetBox.type)", at: 0, expected: "offsets of 32 bits"))
            }
            box.entries[index].offset = offset
        }
        return box
    }

    /// `cslg`: limits of the composition offsets and times (ISO/IEC 14496-12, 8.6.1.4).
    private func compositionToDecode(_ box: OpaqueBox) -> OpaqueBox? {
        var reader = box.reader
        guard let version = try? reader.fullBoxHeader(latest: 1).version,
            let toDecode = try? version == 0
                ? Int64(reader.integer(Int32.self)) : reader.integer(Int64.self)
        else { return nil }
        let deltas = offsets.map { Int64($0.offset) + shift }
        let fields = [
            toDecode, deltas.min() ?? shift, deltas.max() ?? shift, composition.lowerBound + shift,
            composition.upperBound + shift,
        ]
        let isShort = fields.allSatisfy { Int32(exactly: $0) != nil }
        return OpaqueBox("cslg") { writer in
            writer.fullBoxHeader(version: isShort ? 0 : 1)
            for field in fields {
                if isShort { writer.integer(Int32(truncatingIfNeeded: field)) } else { writer.integer(field) }
            }
        }
    }

    /// `stss`, or `stps`: partial sync samples (QuickTime File Format, "Partial sync sample atom").
    private func syncSamples(_ box: OpaqueBox) -> OpaqueBox? {
        var reader = box.reader
        guard var table = try? SyncSampleBox(from: &reader) else { return nil }
        table.sampleNumbers = table.sampleNumbers.compactMap { number in
            kept.contains(Int(number) - 1) ? UInt32(Int(number) - kept.lowerBound) : nil
        }
        return OpaqueBox(type: box.type, payload: OpaqueBox(writing: table).payload)
    }

    /// `sdtp`: a byte for each sample (ISO/IEC 14496-12, 8.6.4).
    private func dependencies(_ box: OpaqueBox) -> OpaqueBox? {
        let headerSize = 4
        guard box.payload.count >= headerSize + kept.upperBound else { return nil }
        let bytes = box.payload[(headerSize + kept.lowerBound)..<(headerSize + kept.upperBound)]
        return OpaqueBox(type: box.type, payload: Array(box.payload.prefix(headerSize)) + bytes)
    }

    private var sampleSizes: SampleSizeBox {
        var box = samples.table.sampleSizes
        switch box.sizes {
        case .uniform(let size, _): box.sizes = .uniform(size: size, count: UInt32(clamping: kept.count))
        case .each(let sizes): box.sizes = .each(Array(sizes[kept]))
        }
        return box
    }

    /// `sbgp`: the group of each sample, in runs (ISO/IEC 14496-12, 8.9.2).
    private func sampleGroups(_ box: OpaqueBox) -> OpaqueBox? {
        struct Entry {
            var count: UInt32
            let group: UInt32
        }
        var reader = box.reader
        guard let version = try? reader.fullBoxHeader(latest: 1).version,
            let type = try? reader.bytes(version == 0 ? 4 : 8),
            let entries = try? reader.countedTable(
                entrySize: 8,
                { (entry) throws(ParseError) in Entry(count: try entry.integer(), group: try entry.integer()) })
        else { return nil }
        let part = Self.part(of: entries, kept, count: \.count)
        return OpaqueBox(box.type) { writer in
            writer.fullBoxHeader(version: version)
            writer.append(type)
            writer.count(part)
            for entry in part {
                writer.integer(entry.count)
                writer.integer(entry.group)
            }
        }
    }

    private func chunks() -> (SampleToChunkBox, ChunkOffsetBox) {
        var entries: [SampleToChunkBox.Entry] = []
        var offsets: [UInt64] = []
        for chunk in samples.chunks {
            guard chunk.indices.lowerBound < kept.upperBound else { break }
            let part = chunk.indices.clamped(to: kept)
            guard !part.isEmpty else { continue }
            let skipped = samples.table.sampleSizes.sum(chunk.indices.lowerBound..<part.lowerBound)
            offsets.append(UInt64(chunk.offset + skipped))
            let (count, description) = (UInt32(clamping: part.count), chunk.descriptionIndex)
            if let last = entries.last, last.samplesPerChunk == count, last.descriptionIndex == description { continue }
            entries.append(
                SampleToChunkBox.Entry(
                    firstChunk: UInt32(clamping: offsets.count), samplesPerChunk: count, descriptionIndex: description))
        }
        var toChunk = samples.table.sampleToChunk
        toChunk.entries = entries
        return (toChunk, ChunkOffsetBox(offsets: offsets))
    }
}
