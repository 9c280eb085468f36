package import Bytes
package import MediaModel

/// The still time of a Live Photo, according to a timed metadata track of the movie.
package struct StillImageTime: Sendable, Hashable {
    package let trackID: UInt32
    /// The presentation time of the sample on the movie's timeline, which is the still time.
    package let time: MediaTime
    /// The value of the sample, which is the byte FF in all known files.
    package let value: [UInt8]
    /// The other values of the sample: transform and reference dimensions.
    package let otherValues: [TimedMetadataValue]
}

/// A timed metadata track with the key of the still image time.
package struct StillImageTimeCandidate: Sendable {
    package let track: Track
    /// The type of the key's values; nil if `problem` states why it is unknown.
    package let dataType: TimedMetadataSampleEntry.DataType?
    /// The number of samples of the track; 0 if `problem` states why it is unknown.
    package let sampleCount: Int
    /// The first sample with the key; nil if there is none.
    package let stillImageTime: StillImageTime?
    /// Why a part of the track could not be read.
    package let problem: ParseError?
}

extension MovieReader {
    /// The still image time of the first track that has one.
    ///
    /// - Throws: `ParseError` when a timed metadata track before it is damaged; `Errno` of pread(2).
    package func stillImageTime() throws -> StillImageTime? {
        for candidate in try stillImageTimeCandidates() {
            if let problem = candidate.problem { throw problem }
            if let stillImageTime = candidate.stillImageTime { return stillImageTime }
        }
        return nil
    }

    /// All tracks with the key of the still image time, and those timed metadata tracks whose keys cannot be read.
    ///
    /// - Throws: `Errno` of pread(2).
    package func stillImageTimeCandidates() throws -> [StillImageTimeCandidate] {
        var room = MovieLimits.timedMetadata
        return try tracks.filter { $0.kind == .metadata }.compactMap { try candidate(of: $0, room: &room) }
    }

    /// - Parameter room: how many bytes are searched.
    private func candidate(of track: Track, room: inout Int) throws -> StillImageTimeCandidate? {
        var dataType: TimedMetadataSampleEntry.DataType?
        var sampleCount = 0
        do {
            let keys = try track.metadataKeys()
            guard let key = keys.first(where: { $0.key == .stillImageTime }) else { return nil }
            dataType = key.dataType
            let samples = try track.samples()
            sampleCount = samples.count
            return StillImageTimeCandidate(
                track: track, dataType: dataType, sampleCount: sampleCount,
                stillImageTime: try stillImageTime(of: key, in: samples, trackID: track.id, keys: keys, room: &room),
                problem: nil)
        } catch let error as ParseError {
            return StillImageTimeCandidate(
                track: track, dataType: dataType, sampleCount: sampleCount, stillImageTime: nil, problem: error)
        }
    }

    private func stillImageTime(
        of key: TimedMetadataSampleEntry.Key, in samples: SampleSequence, trackID: UInt32,
        keys: [TimedMetadataSampleEntry.Key], room: inout Int
    ) throws -> StillImageTime? {
        for sample in samples.prefix(MovieLimits.searchedMetadataSamples) {
            guard sample.size <= MovieLimits.metadataSampleSize else { continue }
            room -= sample.size
            guard room >= 0 else { break }
            var values = try values(of: sample, keys: keys)
            guard let index = values.firstIndex(where: { $0.localID == key.localID }) else { continue }
            let value = values.remove(at: index)
            return StillImageTime(
                trackID: trackID, time: sample.presentationTime, value: value.bytes, otherValues: values)
        }
        return nil
    }
}
