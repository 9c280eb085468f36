import Bytes
import MediaModel
import QuickTime
import SystemPackage

/// A QuickTime movie or MP4.
public struct MovieInspection: Sendable, Hashable, Encodable {
    /// The path as given.
    public let file: String
    /// The size of the file in bytes.
    public let fileSize: Int
    /// The main brand (`ftyp`).
    public let brand: String?
    /// Whether samples are described in movie fragments (`moof`), as in streams.
    public let isFragmented: Bool
    /// Ticks per second of the movie's timeline.
    public let timescale: Int
    /// The duration according to the movie's header; nil if unknown, as in fragmented movies.
    public let duration: Double?
    /// The content identifier as spelled in the file.
    public let contentIdentifier: String?
    /// The still time; nil if the movie has none.
    public let still: Still?
    /// The tracks in the order of the file.
    public let tracks: [TrackInspection]
    /// Metadata in `moov/meta` and `moov/udta`.
    public let metadata: [InspectedValue]
    /// What could not be read, as sentences.
    public let problems: [String]

    /// The still time, from a timed metadata track.
    public struct Still: Sendable, Hashable, Encodable {
        /// Seconds on the movie's timeline, after applying the edit list.
        public let time: Double
        /// The index of the video frame that is displayed at this time; nil if there is none.
        public let frame: Int?
        /// The ID of the timed metadata track that has the still time.
        public let track: Int
        /// The bytes of the value, in hexadecimal digits: `ff`.
        public let value: String
        /// The other values of the same sample.
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
        contentIdentifier = reader.contentIdentifier?.string()
        let candidates = try reader.stillImageTimeCandidates()
        let video = reader.shownVideo
        still = candidates.lazy.compactMap(\.stillImageTime).first.map { Still($0, video) }
        var tracks: [TrackInspection] = []
        var room = MovieReader.roomForLivePhotoInfo
        for track in reader.tracks { tracks.append(try TrackInspection(track, of: reader, room: &room)) }
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
    /// The name, with its name space unless that is `mdta`.
    var shownName: String {
        let name = name.string(limit: Self.shownBytes)
        return space == "mdta" ? name : "\(space):\(name)"
    }

    /// Bytes of a name that are shown; real ones have less than 100.
    private static let shownBytes = 1024
}
