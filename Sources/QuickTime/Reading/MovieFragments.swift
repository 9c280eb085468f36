import Bytes
import ISOBMFF

/// The samples that fragments add to a movie: `mvex` in `moov`, and any number of `moof` after it (ISO/IEC 14496-12,
/// 8.8).
struct MovieFragments: Sendable {
    static let boxType: FourCC = "moof"
    private static let extendsType: FourCC = "mvex"

    /// The runs of each track, in order.
    private(set) var runs: [UInt32: [TrackRun]] = [:]
    /// The first error while reading fragments; `runs` holds only what precedes it.
    private(set) var problem: ParseError?

    private var defaults: [UInt32: SampleDefaults] = [:]
    private var runCount = 0
    /// The number of further samples that the file can hold, at one byte each.
    private var room: Int

    /// - Parameter movie: its `mvex` holds the default properties of samples.
    init(of movie: MovieBox, fileSize: Int) {
        room = fileSize
        guard let extends = movie.others.first(where: { $0.type == Self.extendsType }) else { return }
        do throws(ParseError) {
            var reader = extends.reader
            while let child = try reader.nextBox() {
                guard child.type == "trex" else { continue }
                var payload = child.payload
                try readDefaults(from: &payload)
            }
        } catch {
            problem = error
        }
    }

    /// Whether a movie announces fragments.
    static func areAnnounced(in movie: MovieBox) -> Bool {
        movie.others.contains { $0.type == extendsType }
    }

    /// `trex` (8.8.3).
    private mutating func readDefaults(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        let trackID = try reader.integer(UInt32.self)
        try reader.skip(4)
        defaults[trackID] = SampleDefaults(
            duration: try reader.integer(), size: try reader.integer(), flags: try reader.integer())
    }

    /// Adds the samples of the next `moof`.
    mutating func add(_ box: ChildBox) {
        guard problem == nil else { return }
        do throws(ParseError) {
            var reader = box.payload
            let start = box.range.lowerBound
            var end = start
            while let child = try reader.nextBox() {
                guard child.type == "traf" else { continue }
                var fragment = child.payload
                end = try readTrackFragment(from: &fragment, start: start, previousEnd: end)
            }
        } catch {
            problem = error
        }
    }

    /// `traf` (8.8.6).
    ///
    /// - Returns: the end offset of its last sample.
    private mutating func readTrackFragment(
        from reader: inout ByteReader, start: Int, previousEnd: Int
    ) throws(ParseError) -> Int {
        var header: TrackFragmentHeader?
        var decodeTicks: Int64?
        var end = previousEnd
        while let child = try reader.nextBox() {
            var payload = child.payload
            switch child.type {
            case "tfhd":
                header = try TrackFragmentHeader(from: &payload, defaults: defaults)
                end = header?.baseOffset ?? (header?.baseIsFragment == true ? start : previousEnd)
            case "tfdt":
                let version = try payload.fullBoxHeader(latest: 1).version
                let ticks = try payload.versioned(version)
                guard let exact = Int64(exactly: ticks) else {
                    throw payload.error(.overLimit, expected: "a decode time of 63 bits")
                }
                decodeTicks = exact
            case "trun":
                guard let header else { throw payload.missing("tfhd") }
                let base = header.baseOffset ?? (header.baseIsFragment ? start : previousEnd)
                let run = try TrackRun(
                    from: &payload, defaults: header.defaults, base: base, next: end, decodeTicks: decodeTicks,
                    room: room)
                end = run.offset + run.size
                decodeTicks = nil
                try add(run, of: header.trackID, reader: reader)
            default: break
            }
        }
        return end
    }

    private mutating func add(_ run: TrackRun, of trackID: UInt32, reader: ByteReader) throws(ParseError) {
        guard run.count > 0 else { return }
        guard runCount < MovieLimits.trackRuns else {
            throw reader.error(.overLimit, expected: "at most \(MovieLimits.trackRuns) runs of samples")
        }
        runCount += 1
        room -= run.count
        runs[trackID, default: []].append(run)
    }
}

/// `tfhd`: the properties of the samples of a track in one fragment (ISO/IEC 14496-12, 8.8.7).
private struct TrackFragmentHeader {
    let trackID: UInt32
    /// The origin of data offsets; if nil, `baseIsFragment` decides.
    let baseOffset: Int?
    /// Whether offsets count from the fragment's first byte, rather than from the end of the previous track in it.
    let baseIsFragment: Bool
    var defaults: SampleDefaults

    init(from reader: inout ByteReader, defaults known: [UInt32: SampleDefaults]) throws(ParseError) {
        let flags = try reader.fullBoxHeader().flags
        trackID = try reader.integer()
        defaults = known[trackID] ?? SampleDefaults()
        baseIsFragment = flags & 0x2_0000 != 0
        if flags & 1 != 0 {
            let offset = try reader.integer(UInt64.self)
            guard offset < MovieLimits.fileOffset else {
                throw reader.error(.overLimit, expected: "an offset within a file, found \(offset)")
            }
            baseOffset = Int(offset)
        } else {
            baseOffset = nil
        }
        if flags & 2 != 0 { try reader.skip(4) }
        if flags & 8 != 0 { defaults.duration = try reader.integer() }
        if flags & 0x10 != 0 { defaults.size = try reader.integer() }
        if flags & 0x20 != 0 { defaults.flags = try reader.integer() }
    }
}
