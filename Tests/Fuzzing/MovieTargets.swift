import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport

extension FuzzedReader {
    private static let boxTypes: [FourCC] = [
        "ftyp", "moov", "mvhd", "trak", "tkhd", "tref", "edts", "elst", "mdia", "mdhd", "hdlr", "minf", "vmhd", "smhd",
        "gmhd", "dinf", "dref", "stbl", "stsd", "stts", "ctts", "cslg", "stss", "stsc", "stsz", "stz2", "stco", "co64",
        "udta", "meta", "keys", "ilst", "mvex", "trex", "moof", "mfhd", "traf", "tfhd", "tfdt", "trun", "mdat", "free",
        "wide", "avc1", "avcC", "hvc1", "hvcC", "mp4a", "esds", "wave", "mebx", "keyd", "dtyp", "setu", "cfgv", "dims",
        "colr", "pasp", "clap", "cmov", "qt  ", "vide", "soun", "mdta", "cdsc",
    ]

    private static let keys: [MetadataKey] = [
        .contentIdentifier, .creationDate, .location, .stillImageTime, .livePhotoInfo, .stillImageTransform,
        .stillImageTransformReferenceDimensions,
    ]

    static let movieWords = boxTypes.map(\.description) + keys.map(\.name.description)

    static let movie = FuzzedReader(
        sources: ["ISOBMFF", "QuickTime/Boxes", "QuickTime/Reading"], form: .boxes, words: movieWords,
        samples: { try movieSamples() + [DevicePair.movie] }, describe: describeMovie, run: exerciseMovie)

    /// The input follows the description of a movie with fragments.
    static let fragments = FuzzedReader(
        sources: ["QuickTime/Reading/MovieFragments.swift", "QuickTime/Reading/TrackRun.swift"], form: .boxes,
        words: movieWords,
        samples: { [sampleFragment] },
        run: { exerciseMovie(announcement + $0) })

    private static let announcement = Fuzzing.must("the sample cannot be made") { try fragmentedMovie() }

    /// The size of the sample entry's content, in 16 bits, and the content; the rest is the sample.
    static let timedMetadata = FuzzedReader(
        sources: [
            "QuickTime/Boxes/TimedMetadataSampleEntry.swift", "QuickTime/Boxes/LivePhotoInfoSetup.swift",
            "QuickTime/Reading/TimedMetadata.swift", "QuickTime/Reading/StillImageTime.swift",
            "QuickTime/Reading/MovieTimedMetadata.swift", "QuickTime/Reading/LivePhotoInfoRecords.swift",
        ],
        words: movieWords,
        samples: timedMetadataSamples,
        run: { bytes in
            guard bytes.count >= 2 else { return }
            let count = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
            exerciseMovie(
                metadataMovie(description: Array(bytes[2..<2 + count]), sample: Array(bytes[(2 + count)...])))
        })

    static let livePhotoInfo = FuzzedReader(
        sources: ["QuickTime/Reading/LivePhotoInfo.swift", "QuickTime/Reading/LivePhotoInfo+description.swift"],
        samples: {
            [hex(SamplePair.completeRecord), SamplePair.record(of: 1).bytes, LivePhotoInfo(stillAt: 7).bytes]
        },
        run: { bytes in
            guard let info = try? LivePhotoInfo(bytes) else { return }
            Fuzzing.expect(info.bytes == bytes, "a record is written back in another way")
            Fuzzing.expect(!info.description.isEmpty, "a record has no description")
        })

    static let parameterSets = FuzzedReader(
        sources: ["QuickTime/H264", "QuickTime/HEVC", "QuickTime/Boxes/AVCConfigurationBox.swift"],
        words: ["\u{0}\u{0}\u{1}", "\u{0}\u{0}\u{0}\u{1}", "\u{0}\u{0}\u{3}"],
        samples: { [sampleParameterSets, hevcParameterSets] },
        run: { bytes in
            _ = try? HEVCParameterSets(annexB: bytes.span)
            var reader = ByteReader(bytes, structure: "avcC")
            let boxes = [try? AVCConfigurationBox(annexB: bytes.span), try? AVCConfigurationBox(from: &reader)]
            for box in boxes.compactMap(\.self) { checkRoundTrip(box) }
        })

    /// VPS, SPS and PPS of a movie of 640x360.
    private static let hevcParameterSets = hex(
        """
        00000001 40010c01ffff01600000030090000003000003005dac0c
        00000001 4201010160000003009000000300000300 5da00280802d16592c9246cb26c0b2fc800000fa000017700102
        00000001 4401c173d189
        """)
}

/// A box that was read is read back as it is when it is written.
func checkRoundTrip<Value: Box>(_ box: Value) {
    let written = bytes { box.write(to: &$0) }
    var reader = ByteReader(written, structure: "\(Value.type)")
    let read = Fuzzing.must("a box \(Value.type) is not read back") { try Value(from: &reader) }
    Fuzzing.expect(bytes { read.write(to: &$0) } == written, "a box \(Value.type) is read back as another one")
}

/// Asks all that can be asked of a movie.
func exerciseMovie(_ bytes: [UInt8]) {
    let file = scratchFile(bytes)
    if let tree = try? BoxTree(of: file) {
        for node in tree.nodes {
            Fuzzing.expect(node.offset >= 0 && node.headerSize >= 0, "a box is at \(node.offset)")
        }
    }
    _ = MovieReader.isCutOff(file)
    guard let reader = try? MovieReader(file) else { return }
    checkRoundTrip(reader.movie)
    let identifier = Fuzzing.must("the identifier of a movie that can be read") {
        try MovieReader.contentIdentifier(of: file)
    }
    Fuzzing.expect(identifier == reader.contentIdentifier, "the identifier is another one without the tracks")
    _ = (reader.isFragmented, reader.statedDate, reader.location, reader.shownVideo)
    for item in reader.metadata + reader.movie.userData { _ = item.value.content.description }
    _ = try? reader.stillImageTimeCandidates()
    _ = try? reader.stillImageTime()
    _ = try? reader.checkPlayable(strictly: true)
    _ = try? MovieTimedMetadata(reader, from: .zero, to: MediaTime(value: 1, timescale: 1))
    for track in reader.tracks { exercise(track, of: reader) }
}

private func exercise(_ track: Track, of reader: MovieReader) {
    _ = (track.kind, track.isEnabled, track.duration, track.isStrippedTimedMetadata)
    for item in track.metadata { _ = item.value.content.description }
    _ = try? track.timeline()
    if let format = try? track.format() { _ = (format.name, format.isEncrypted) }
    if let times = try? track.frameTimes() {
        _ = times.nominalRate
        if let first = times.times.first { _ = times.index(at: first) }
    }
    _ = try? reader.livePhotoInfo(of: track)
    let misplaced = try? reader.firstMisplacedSample(of: track)
    let keys = (try? track.metadataKeys()) ?? []
    guard let samples = try? track.samples() else { return }
    var count = 0
    for sample in samples {
        if count < 16, !keys.isEmpty, let values = try? reader.values(of: sample, keys: keys) {
            for value in values { _ = value.content.description }
        } else if count < 16 {
            _ = try? reader.bytes(of: sample)
        }
        count += 1
    }
    Fuzzing.expect(count == samples.count, "\(samples.count) samples are announced, and \(count) come")
    if let place = misplaced.flatMap(\.self) {
        Fuzzing.expect((0..<count).contains(place.index), "sample \(place.index) of \(count) is out of place")
    }
}

/// The places and sizes of the first samples of each track, as other readers find them.
private func describeMovie(_ bytes: [UInt8]) throws -> String {
    let reader = try MovieReader(scratchFile(bytes))
    let tracks = try reader.tracks.map { track in
        let samples = try track.samples()
        let places = samples.prefix(64).map { "[\($0.offset),\($0.size)]" }
        return "{\"count\":\(samples.count),\"samples\":[\(places.joined(separator: ","))]}"
    }
    return "[\(tracks.joined(separator: ","))]"
}
