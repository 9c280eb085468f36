import Bytes
import MediaModel
import QuickTime

/// One track of a movie.
public struct TrackInspection: Sendable, Hashable, Encodable {
    /// The track's ID (`tkhd`), which other tracks refer to.
    public let id: Int
    /// The kind of track: `video`, `audio`, `metadata`, or the four characters of another handler.
    public let kind: String
    /// The four characters of the sample entry, such as `avc1`.
    public let format: String?
    /// The codec, as in `H.264 High, level 4.0`.
    public let codec: String?
    /// Whether players use the track (the flag `enabled` of `tkhd`).
    public let isEnabled: Bool
    /// Whether the samples are encrypted (`encv`, `enca`).
    public let isEncrypted: Bool
    /// The duration according to the track's header; nil if unknown, as in fragmented movies.
    public let duration: Double?
    /// Ticks per second of the media.
    public let timescale: Int?
    /// The number of samples; nil if the sample tables cannot be read.
    public let samples: Int?
    /// The IDs of the tracks that it describes (`cdsc`).
    public let describes: [Int]
    /// The edit list (`elst`); empty if there is none.
    public let edits: [Edit]
    /// The picture's size, rate and colour; nil for other tracks.
    public let video: Video?
    /// The sound's sample rate and channels; nil for other tracks.
    public let audio: Audio?
    /// The keys of timed metadata, each with the value of the first sample that has it.
    public let keys: [InspectedValue]
    /// The records of a live-photo-info track; nil for other tracks.
    public let livePhotoInfo: LivePhotoInfoInspection?
    /// Metadata of the track (`trak/meta`), such as the lens.
    public let metadata: [InspectedValue]
    let problems: [String]

    private enum CodingKeys: CodingKey {
        case id, kind, format, codec, isEnabled, isEncrypted, duration, timescale, samples, describes, edits, video
        case audio, keys, livePhotoInfo, metadata
    }

    /// One entry of the edit list.
    public struct Edit: Sendable, Hashable, Encodable {
        /// Seconds on the movie's timeline.
        public let duration: Double
        /// The start time in the media; nil for an empty edit, which displays nothing.
        public let mediaTime: Double?
    }

    /// The picture of a video track. Sizes are in pixels.
    public struct Video: Sendable, Hashable, Encodable {
        /// The width of the coded picture, before it is cropped and rotated.
        public let storedWidth: Int
        /// The height of the coded picture, before it is cropped and rotated.
        public let storedHeight: Int
        /// The width of the picture as displayed.
        public let width: Int?
        /// The height of the picture as displayed.
        public let height: Int?
        /// The displayed part of the stored picture (`clap`); nil for all of it.
        public let cleanAperture: Aperture?
        /// The rotation as a value of Exif's Orientation tag: 1 is upright, 6 is 90° clockwise; nil for other angles.
        public let orientation: Int?
        /// The number of displayed frames.
        public let frames: Int?
        /// The average frame rate.
        public let framesPerSecond: Double?
        /// The presentation time of the first frame.
        public let firstFrame: Double?
        /// Bits per component; nil if the codec's configuration does not state it.
        public let bitDepth: Int?
        /// The colour space in `colr`; nil if there is none.
        public let color: Color?
    }

    /// A part of a stored picture: its size, and the distance of its centre from the picture's.
    public struct Aperture: Sendable, Hashable, Encodable {
        /// The width in pixels.
        public let width: Double
        /// The height in pixels.
        public let height: Double
        /// How far the part's centre is to the right of the picture's, in pixels.
        public let horizontalOffset: Double
        /// How far the part's centre is below the picture's, in pixels.
        public let verticalOffset: Double
    }

    /// A colour space, as code points of ITU-T H.273.
    public struct Color: Sendable, Hashable, Encodable {
        /// ColourPrimaries: 1 is BT.709, 9 BT.2020, 12 P3.
        public let primaries: Int
        /// TransferCharacteristics: 1 is BT.709, 16 PQ, 18 HLG.
        public let transfer: Int
        /// MatrixCoefficients: 1 is BT.709, 6 BT.601, 9 BT.2020.
        public let matrix: Int
        /// Whether luma uses 0…255 (of 8 bits) rather than 16…235.
        public let isFullRange: Bool
    }

    /// The sound of an audio track.
    public struct Audio: Sendable, Hashable, Encodable {
        /// Samples per second; nil if the file has no valid value.
        public let sampleRate: Double?
        /// The number of channels.
        public let channels: Int
    }

    /// - Parameter room: how many bytes of live-photo-info may be read; less afterwards.
    init(_ track: Track, of reader: MovieReader, room: inout Int) throws {
        var problems: [String] = []
        func attempt<Value>(_ read: () throws(ParseError) -> Value?) -> Value? {
            do throws(ParseError) {
                return try read()
            } catch {
                problems.append("track \(track.id): \(error)")
                return nil
            }
        }
        id = Int(track.id)
        kind = track.kind.name
        let format = attempt { () throws(ParseError) in try track.format() }
        self.format = format?.type.description
        codec = format?.name
        isEnabled = track.isEnabled
        isEncrypted = format?.isEncrypted ?? false
        duration = track.duration?.seconds.known(unlessZeroIn: reader)
        timescale = (try? track.timescale).map(Int.init)
        let samples = attempt { () throws(ParseError) in try track.samples() }
        self.samples = samples?.count
        describes = (track.box.references?.references ?? []).filter { $0.type == "cdsc" }.flatMap(\.trackIDs).map(
            Int.init)
        let clocks = (movie: reader.movie.header.timescale, media: track.box.media.header.timescale)
        edits = (track.box.edit?.list?.entries ?? []).map { Edit($0, clocks) }
        (video, audio) =
            switch format?.media {
            case .video(let size, let bitDepth, let color): (Video(track, size, bitDepth, color), nil)
            case .audio(let rate, let channels):
                (nil, Audio(sampleRate: rate.isFinite ? rate : nil, channels: channels))
            default: (nil, nil)
            }
        if track.isStrippedTimedMetadata {
            problems.append("track \(track.id) is timed metadata without its sample description")
        }
        let keys = attempt { () throws(ParseError) in try track.metadataKeys() } ?? []
        self.keys = try Self.values(keys, samples, reader)
        do {
            livePhotoInfo = try reader.livePhotoInfo(of: track, room: &room).map(LivePhotoInfoInspection.init)
        } catch let error as ParseError {
            // The sample entry and the tables were read above.
            if keys.contains(where: { $0.key == .livePhotoInfo }), samples != nil {
                problems.append("track \(track.id): \(error)")
            }
            livePhotoInfo = nil
        }
        metadata = track.metadata.map(InspectedValue.init)
        self.problems = problems
    }

    /// Enough to find the first value of each key in movies of devices.
    private static let searchedSamples = 64

    private static func values(
        _ keys: [TimedMetadataSampleEntry.Key], _ samples: SampleSequence?, _ reader: MovieReader
    ) throws -> [InspectedValue] {
        var found: [UInt32: TimedMetadataValue] = [:]
        for sample in samples.map({ Array($0.prefix(searchedSamples)) }) ?? [] where found.count < keys.count {
            do {
                for value in try reader.values(of: sample, keys: keys) where found[value.localID] == nil {
                    found[value.localID] = value
                }
            } catch is ParseError {
                continue
            }
        }
        return keys.map { key in
            found[key.localID].map(InspectedValue.init)
                ?? InspectedValue(name: key.key.shownName, type: "\(key.dataType)", value: "")
        }
    }
}

extension Double {
    /// Writers of fragmented movies write 0 for an unknown duration.
    func known(unlessZeroIn reader: MovieReader) -> Double? { self == 0 && reader.isFragmented ? nil : self }
}

extension TrackInspection.Edit {
    fileprivate init(_ entry: EditListBox.Entry, _ clocks: (movie: UInt32, media: UInt32)) {
        duration = Double(entry.duration) / Double(max(clocks.movie, 1))
        mediaTime = entry.mediaTime.map { Double($0) / Double(max(clocks.media, 1)) }
    }
}

extension TrackInspection.Video {
    fileprivate init(_ track: Track, _ size: PixelSize, _ bitDepth: Int?, _ color: ColorDescription?) {
        storedWidth = size.width
        storedHeight = size.height
        width = track.displaySize?.width
        height = track.displaySize?.height
        let entry: VisualSampleEntry? = try? track.box.media.information.sampleTable.descriptions.firstEntry()
        cleanAperture = entry?.cleanAperture.flatMap(TrackInspection.Aperture.init)
        orientation = track.box.header.matrix.orientation?.rawValue
        let times = try? track.frameTimes()
        frames = times?.count
        framesPerSecond = times?.nominalRate?.framesPerSecond
        firstFrame = times?.times.first?.seconds
        self.bitDepth = bitDepth
        self.color = color.map(TrackInspection.Color.init)
    }
}

extension TrackInspection.Aperture {
    fileprivate init?(_ box: CleanApertureBox) {
        guard let width = box.width.value, let height = box.height.value,
            let horizontalOffset = box.horizontalOffset.value, let verticalOffset = box.verticalOffset.value
        else { return nil }
        self.width = width
        self.height = height
        self.horizontalOffset = horizontalOffset
        self.verticalOffset = verticalOffset
    }
}

extension TrackInspection.Color {
    fileprivate init(_ color: ColorDescription) {
        primaries = Int(color.primaries)
        transfer = Int(color.transfer)
        matrix = Int(color.matrix)
        isFullRange = color.isFullRange
    }
}

extension Track.Kind {
    fileprivate var name: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .metadata: "metadata"
        case .other(let type): type.description
        }
    }
}
