import Bytes
import MediaModel
import QuickTime
import SystemPackage

/// A QuickTime movie or MP4.
public struct MovieInspection: Sendable, Hashable, Encodable {
    public let file: String
    public let fileSize: Int
    /// The main brand (`ftyp`); nil where there is none.
    public let brand: String?
    public let isFragmented: Bool
    /// Ticks a second of the movie's clock.
    public let timescale: Int
    /// As the movie's header says it; nil where it does not know, as in fragmented movies.
    public let duration: Double?
    /// What pairs it with its photo, as it is spelt there.
    public let contentIdentifier: String?
    /// When the key photo was taken; nil where the movie does not say.
    public let still: Still?
    public let tracks: [TrackInspection]
    /// What the movie says of itself: `moov/meta` and `moov/udta`.
    public let metadata: [InspectedValue]
    /// What could not be read, each one sentence.
    public let problems: [String]

    /// When the key photo was taken, by a timed metadata track.
    public struct Still: Sendable, Hashable, Encodable {
        /// On the movie's timeline, through the edit list.
        public let time: Double
        /// The video's frame that stands at this time, counted from 0; nil where none does.
        public let frame: Int?
        public let track: Int
        /// The bytes of the value, in hexadecimal digits: `ff`.
        public let value: String
        /// What the same sample says besides.
        public let others: [InspectedValue]
    }

    init(_ file: InputFile) throws {
        let reader = try MovieReader(file)
        self.file = file.path.string
        fileSize = file.size
        brand = reader.fileType.map { $0.majorBrand.description }
        isFragmented = reader.isFragmented
        timescale = Int(reader.movie.header.timescale)
        duration = reader.movie.header.duration.flatMap {
            (Double($0) / Double(reader.movie.header.timescale)).known(unlessZeroIn: reader)
        }
        contentIdentifier = reader.contentIdentifier
        let candidates = try reader.stillImageTimeCandidates()
        let video = reader.tracks.first { $0.kind == .video }
        still = candidates.lazy.compactMap(\.stillImageTime).first.map { Still($0, video) }
        var tracks: [TrackInspection] = []
        for track in reader.tracks { tracks.append(try TrackInspection(track, of: reader)) }
        self.tracks = tracks
        metadata = (reader.metadata + reader.movie.userData).map(InspectedValue.init)
        problems =
            reader.movie.unreadableBoxes.map { "\($0.error)" } + candidates.compactMap { $0.problem.map { "\($0)" } }
            + tracks.flatMap(\.problems)
    }
}

extension MovieInspection.Still {
    fileprivate init(_ still: StillImageTime, _ video: Track?) {
        time = still.time.seconds
        frame = try? video?.frameTimes().index(at: still.time)
        track = Int(still.trackID)
        value = hexadecimal(still.value)
        others = still.otherValues.map(InspectedValue.init)
    }
}

extension InspectedValue {
    init(_ item: MetadataItem) {
        self.init(name: item.key.shownName, type: "\(item.value.type)", value: "\(item.value.content)")
    }

    init(_ value: TimedMetadataValue) {
        self.init(
            name: value.key?.shownName ?? "key \(value.localID)", type: value.dataType.map { "\($0)" } ?? "unknown",
            value: "\(value.content)")
    }
}

extension MetadataKey {
    /// The name; with its name space where that is not the usual one.
    var shownName: String { space == "mdta" ? name : "\(space):\(name)" }
}
