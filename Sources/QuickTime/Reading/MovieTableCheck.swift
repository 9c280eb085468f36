package import Bytes
import ISOBMFF

/// Counts the entries that the tables of a QuickTime or MP4 file claim, before libavformat allocates memory for them.
///
/// libavformat creates an index entry for every sample, even for the millions that a table of a few bytes may claim. It
/// iterates over all edits for each of them, compares each metadata key with those before it, and keeps buffers for
/// every track.
package struct MovieTableCheck {
    private var tracks = Total(limit: MovieLimits.tracks, name: "tracks in the file")
    private var edits = Total(limit: MovieLimits.edits, name: "edits in the file")
    private var metadataKeys = Total(limit: MovieLimits.metadataKeys, name: "metadata keys in the file")
    private var samples = Total(limit: MovieLimits.samples, name: "samples in the file")

    private struct Total {
        let limit: Int
        let name: String
        private(set) var count = 0

        init(limit: Int, name: String) { (self.limit, self.name) = (limit, name) }

        /// Throws if there are more than `limit`.
        mutating func add(_ more: Int, in box: ByteReader) throws(ParseError) {
            count += more
            guard count <= limit else {
                throw box.error(.overLimit, expected: "at most \(limit) \(name), found \(count)")
            }
        }
    }

    /// Accepts files within `MovieLimits`, other kinds of file, and files that are damaged in other ways.
    ///
    /// - Throws: `ParseError` of code `overLimit`; `Errno` of pread(2).
    package static func check(_ file: InputFile) throws {
        var check = MovieTableCheck()
        let types = [MovieBox.type, MovieFragments.boxType]
        for box in try MovieReader.boxes(of: file) where types.contains(box.type) {
            var outside = TrackTables()
            let content = try box.read(from: file, limit: MovieLimits.movieBoxSize)
            try check.count(boxesOf: content.payload, depth: 0, &outside)
        }
    }

    /// Boxes in which libavformat looks for others.
    private static let containers: Set<FourCC> = [
        "moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "meta", "ilst", "mvex", "moof", "traf", "clip", "dinf",
        "tref", "wave", "sinf", "schi",
    ]

    /// The tables that determine how many samples of a track are indexed.
    private struct TrackTables {
        var isSound = false
        /// `stsz` or `stz2`.
        var sampleSizes: ByteReader?
        /// Whether `stts` has one entry with a duration of one tick.
        var lastsOneTick = false
    }

    /// - Parameter track: collects the tables of the enclosing track.
    private mutating func count(
        boxesOf reader: ByteReader, depth: Int, _ track: inout TrackTables
    ) throws(ParseError) {
        // libavformat rejects deeper ones.
        guard depth < MovieLimits.boxDepth else { return }
        var reader = reader
        while let child = (try? reader.nextBox()) ?? nil {
            var payload = child.payload
            switch child.type {
            case "elst": try edits.add(entries(of: payload), in: payload)
            case "keys": try metadataKeys.add(entries(of: payload), in: payload)
            case "stsz", "stz2": track.sampleSizes = payload
            case "stts": track.lastsOneTick = isOneTickEach(payload)
            case "hdlr": track.isSound = track.isSound || isSound(payload)
            case "trun": try samples.add(entries(of: payload), in: payload)
            case "trak":
                try tracks.add(1, in: payload)
                try count(trackBoxesOf: payload, depth: depth + 1)
                continue
            default: break
            }
            if reader.structure == "ilst" { try metadataKeys.add(1, in: payload) }
            guard Self.containers.contains(child.type) else { continue }
            // ISO's form of `meta` begins with version and flags.
            if child.type == "meta", MetadataBox.form(of: payload) == .iso { _ = try? payload.skip(4) }
            try count(boxesOf: payload, depth: depth + 1, &track)
        }
    }

    private mutating func count(trackBoxesOf track: ByteReader, depth: Int) throws(ParseError) {
        var tables = TrackTables()
        try count(boxesOf: track, depth: depth, &tables)
        // The samples of PCM are indexed by chunk.
        guard let sizes = tables.sampleSizes, !(tables.isSound && tables.lastsOneTick) else { return }
        var afterSize = sizes
        _ = try? afterSize.skip(4)
        var samplesOfTrack = Total(limit: MovieLimits.samplesOfTrack, name: "samples in a track")
        try samplesOfTrack.add(entries(of: afterSize), in: sizes)
        try samples.add(samplesOfTrack.count, in: sizes)
    }

    /// The 32-bit count after version and flags; 0 if it is cut off.
    private func entries(of payload: ByteReader) -> Int {
        var payload = payload
        guard (try? payload.skip(4)) != nil, let count = try? payload.integer(UInt32.self) else { return 0 }
        return Int(count)
    }

    private func isOneTickEach(_ payload: ByteReader) -> Bool {
        var payload = payload
        guard entries(of: payload) == 1, (try? payload.skip(12)) != nil else { return false }
        return (try? payload.integer(UInt32.self)) == 1
    }

    private func isSound(_ payload: ByteReader) -> Bool {
        var payload = payload
        return (try? payload.skip(8)) != nil && (try? payload.fourCC()) == HandlerBox.sound.subtype
    }
}
