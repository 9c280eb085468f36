package import ISOBMFF

/// Counts the entries that the tables of a QuickTime or MP4 file claim, before libavformat allocates memory for them.
///
/// libavformat creates an index entry for every sample, even for the millions that a table of a few bytes may claim. It
/// iterates over all edits for each of them, compares each metadata key with those before it, and keeps buffers for
/// every track.
package struct MovieTableCheck {
    private var tracks = 0
    private var edits = 0
    private var metadataKeys = 0
    private var samples = 0

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
        /// Whether `stts` has one entry, of one tick for each sample.
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
            case "elst": edits = try sum(edits, entries(of: payload), "edits in the file", MovieLimits.edits, payload)
            case "keys": try countKeys(entries(of: payload), payload)
            case "stsz", "stz2": track.sampleSizes = payload
            case "stts": track.lastsOneTick = isOneTickEach(payload)
            case "hdlr": track.isSound = track.isSound || isSound(payload)
            case "trun": try countSamples(entries(of: payload), payload)
            case "trak":
                tracks = try sum(tracks, 1, "tracks in the file", MovieLimits.tracks, payload)
                var own = TrackTables()
                try count(boxesOf: payload, depth: depth + 1, &own)
                // The samples of PCM are indexed by chunk.
                if let sizes = own.sampleSizes, !(own.isSound && own.lastsOneTick) {
                    var count = sizes
                    _ = try? count.skip(4)
                    let samples = entries(of: count)
                    _ = try sum(0, samples, "samples in a track", MovieLimits.samplesOfTrack, sizes)
                    try countSamples(samples, sizes)
                }
                continue
            default: break
            }
            if reader.structure == "ilst" { try countKeys(1, payload) }
            guard Self.containers.contains(child.type) else { continue }
            // ISO's form of `meta` begins with version and flags.
            if child.type == "meta", MetadataBox.form(of: payload) == .iso { _ = try? payload.skip(4) }
            try count(boxesOf: payload, depth: depth + 1, &track)
        }
    }

    private mutating func countKeys(_ count: Int, _ place: ByteReader) throws(ParseError) {
        metadataKeys = try sum(metadataKeys, count, "metadata keys in the file", MovieLimits.metadataKeys, place)
    }

    private mutating func countSamples(_ count: Int, _ place: ByteReader) throws(ParseError) {
        samples = try sum(samples, count, "samples in the file", MovieLimits.samples, place)
    }

    private func sum(
        _ number: Int, _ more: Int, _ name: String, _ limit: Int, _ place: ByteReader
    ) throws(ParseError) -> Int {
        guard number + more <= limit else {
            throw place.error(.overLimit, expected: "at most \(limit) \(name), found \(number + more)")
        }
        return number + more
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
