import Bytes
import ISOBMFF

/// The default properties of samples in a fragment (`trex` and `tfhd`; ISO/IEC 14496-12, 8.8.3, 8.8.7).
struct SampleDefaults: Sendable {
    /// In ticks of the media's timescale.
    var duration: UInt32 = 0
    /// In bytes.
    var size: UInt32 = 0
    var flags: UInt32 = 0
}

/// The properties of one sample in `stbl` or `trun`, with times in ticks of the media's timescale.
struct SampleProperties {
    var duration: UInt32
    var size: UInt32
    var compositionOffset: Int32
    var isSync: Bool
}

/// Consecutive samples of one track in the file: `trun` (ISO/IEC 14496-12, 8.8.8). In `traf`.
///
/// Its table is kept as bytes and expanded only while iterating.
struct TrackRun: Sendable {
    let count: Int
    /// The file offset of the first sample.
    let offset: Int
    /// Decode time of the first sample; nil if it follows from the previous run.
    let decodeTicks: Int64?
    /// Their total duration, in ticks of the media's timescale.
    let duration: Int64
    /// Their total size in bytes.
    let size: Int
    private let defaults: SampleDefaults
    private let firstFlags: UInt32?
    private let fields: Fields
    let table: ByteReader

    private struct Fields: OptionSet {
        let rawValue: UInt32
        static let dataOffset = Fields(rawValue: 1)
        static let firstFlags = Fields(rawValue: 4)
        static let duration = Fields(rawValue: 0x100)
        static let size = Fields(rawValue: 0x200)
        static let flags = Fields(rawValue: 0x400)
        static let compositionOffset = Fields(rawValue: 0x800)

        /// Bytes of the fields of one sample.
        var entrySize: Int {
            [Fields.duration, .size, .flags, .compositionOffset].count { contains($0) } * 4
        }
    }

    /// Reads it and adds up its samples.
    ///
    /// - Parameters:
    ///   - base: the origin of its data offset.
    ///   - next: the offset of the samples if it has none.
    ///   - room: how many more samples the file can hold.
    init(
        from reader: inout ByteReader, defaults: SampleDefaults, base: Int, next: Int, decodeTicks: Int64?, room: Int
    ) throws(ParseError) {
        let start = reader
        // Version 1 has signed composition offsets; QuickTime's always are signed.
        fields = Fields(rawValue: try reader.fullBoxHeader(latest: 1).flags)
        count = Int(try reader.integer(UInt32.self))
        let relative = fields.contains(.dataOffset) ? Int(try reader.integer(Int32.self)) : nil
        firstFlags = fields.contains(.firstFlags) ? try reader.integer() : nil
        let sum = relative.map { base.addingReportingOverflow($0) } ?? (partialValue: next, overflow: false)
        guard !sum.overflow else { throw start.error(.overLimit, expected: "samples within a file") }
        offset = sum.partialValue
        let entrySize = fields.entrySize
        guard count <= room, entrySize == 0 || count <= reader.remaining / entrySize else {
            throw start.error(.overLimit, expected: "as many samples as the file can hold, found \(count)")
        }
        table = reader
        self.defaults = defaults
        self.decodeTicks = decodeTicks
        // Sums of fewer than 2³² numbers below 2³² each.
        var sums = (duration: UInt64(count) * UInt64(defaults.duration), size: UInt64(count) * UInt64(defaults.size))
        if !fields.isDisjoint(with: [.duration, .size]) {
            sums = (0, 0)
            for index in 0..<count {
                let sample = try Self.properties(
                    from: &reader, fields: fields, defaults: defaults, first: nil, index: index)
                sums.duration += UInt64(sample.duration)
                sums.size += UInt64(sample.size)
            }
        }
        guard offset >= 0, offset < MovieLimits.fileOffset, let size = Int(exactly: sums.size),
            size < MovieLimits.fileOffset, let duration = Int64(exactly: sums.duration)
        else { throw start.error(.overLimit, expected: "samples within a file") }
        self.size = size
        self.duration = duration
    }

    /// Reads the properties of the next sample.
    ///
    /// - Parameter reader: initially `table`.
    func properties(from reader: inout ByteReader, index: Int) throws(ParseError) -> SampleProperties {
        try Self.properties(from: &reader, fields: fields, defaults: defaults, first: firstFlags, index: index)
    }

    private static func properties(
        from reader: inout ByteReader, fields: Fields, defaults: SampleDefaults, first: UInt32?, index: Int
    ) throws(ParseError) -> SampleProperties {
        let duration = fields.contains(.duration) ? try reader.integer() : defaults.duration
        let size = fields.contains(.size) ? try reader.integer() : defaults.size
        var flags = fields.contains(.flags) ? try reader.integer() : defaults.flags
        if index == 0, let first { flags = first }
        let compositionOffset = fields.contains(.compositionOffset) ? try reader.integer(Int32.self) : 0
        // sample_is_non_sync_sample (8.8.3.1).
        let isSync = flags & 0x1_0000 == 0
        return SampleProperties(duration: duration, size: size, compositionOffset: compositionOffset, isSync: isSync)
    }
}
