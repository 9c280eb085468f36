import Bytes
import MediaModel
import QuickTime

/// Asks all that can be asked of a movie.
func exerciseMovie(_ bytes: [UInt8]) {
    let file = inputFile(bytes)
    if let tree = try? BoxTree(of: file) {
        for node in tree.nodes {
            Fuzzing.expect(node.offset >= 0 && node.headerSize >= 0, "a box stands at \(node.offset)")
        }
    }
    guard let reader = try? MovieReader(file) else { return }
    _ = (reader.contentIdentifier, reader.isFragmented)
    for item in reader.metadata + reader.movie.userData { _ = item.value.content.description }
    _ = try? reader.stillImageTimeCandidates()
    _ = try? reader.stillImageTime()
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
