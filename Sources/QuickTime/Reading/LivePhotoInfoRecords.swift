package import Bytes
package import MediaModel

/// The records of a live-photo-info track, in the order of their times.
package struct LivePhotoInfoRecords: Sendable, Hashable {
    /// A sample of the track.
    package struct Record: Sendable, Hashable {
        /// On the movie's timeline.
        package let time: MediaTime
        /// Nil if it cannot be read, or is of another version.
        package let info: LivePhotoInfo?
    }

    /// Nil if the track has none.
    package let setup: LivePhotoInfoSetup?
    package let records: [Record]

    /// Whether they say that the camera does not move: all have the same motion, blur and homography.
    package var areConstant: Bool {
        let known = records.compactMap(\.info)
        guard let first = known.first, known.count == records.count else { return false }
        return known.allSatisfy {
            $0.motion == first.motion && $0.blur == first.blur && $0.homography == first.homography
        }
    }
}

extension Track {
    /// The key of a live-photo-info track; nil for other tracks.
    ///
    /// - Throws: if the sample entry cannot be read.
    package func livePhotoInfoKey() throws(ParseError) -> TimedMetadataSampleEntry.Key? {
        try metadataKeys().first { $0.key == .livePhotoInfo }
    }
}

extension MovieReader {
    /// The first live-photo-info track.
    package var livePhotoInfoTrack: Track? { tracks.first { (try? $0.livePhotoInfoKey()) != nil } }

    /// All records of a live-photo-info track; nil for another track.
    ///
    /// - Throws: `ParseError` if its tables cannot be read, or it is larger than any real one; `Errno` of pread(2).
    package func livePhotoInfo(of track: Track) throws -> LivePhotoInfoRecords? {
        var room = Self.roomForLivePhotoInfo
        return try livePhotoInfo(of: track, room: &room)
    }

    /// Bytes of the records of all tracks together.
    package static let roomForLivePhotoInfo = MovieLimits.timedMetadata

    /// All records of a live-photo-info track; nil for another track.
    ///
    /// - Parameter room: how many bytes they may have; less afterwards.
    /// - Throws: `ParseError` if its tables cannot be read, or it is larger than any real one; `Errno` of pread(2).
    package func livePhotoInfo(of track: Track, room: inout Int) throws -> LivePhotoInfoRecords? {
        guard let key = try track.livePhotoInfoKey() else { return nil }
        var records: [LivePhotoInfoRecords.Record] = []
        for sample in try track.samples() {
            // An empty sample costs memory too.
            room -= max(sample.size, MovieLimits.smallestLivePhotoInfo)
            guard room >= 0 else {
                throw ParseError(
                    .overLimit, in: "live-photo-info track", at: sample.offset,
                    expected: "at most \(MovieLimits.timedMetadata) bytes")
            }
            guard sample.isShown else { continue }
            var info: LivePhotoInfo?
            do {
                let value = try values(of: sample, keys: [key]).first { $0.key == .livePhotoInfo }
                if case .livePhotoInfo(let found) = value?.content { info = found }
            } catch is ParseError {
                info = nil
            }
            records.append(LivePhotoInfoRecords.Record(time: sample.presentationTime, info: info))
        }
        records.sort { $0.time < $1.time }
        return LivePhotoInfoRecords(setup: try LivePhotoInfoSetup(key), records: records)
    }
}
