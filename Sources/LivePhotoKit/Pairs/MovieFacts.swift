import Bytes
import MediaModel
import QuickTime

/// The properties of a movie that rules check.
struct MovieFacts: Sendable {
    /// The main brand; nil without `ftyp`.
    let brand: String?
    let isQuickTimeBrand: Bool
    let isFragmented: Bool
    let contentIdentifier: FileText?
    let timescale: Int32
    let videoTrackCount: Int
    /// The video track that players show; nil if there is none, or if it cannot be read.
    let video: VideoFacts?
    let displaySize: PixelSize?
    let stills: [StillFacts]
    /// On the movie's timeline.
    var stillTime: MediaTime? { still?.time }
    /// The one that gives the still time; without any, the first.
    var still: StillFacts? { stills.first { $0.time != nil } ?? stills.first }
    /// The timed metadata tracks that lost their sample descriptions when a program copied them.
    let strippedMetadataTracks: [UInt32]
    /// Entries of the video track's edit list.
    let videoEdits: Int
    let livePhotoInfo: LivePhotoInfoFacts
    /// Values of `live-photo.auto`, `vitality-score` and `vitality-scoring-version`; nil for those that are missing.
    let autoplay: Int64?
    let vitalityScore: Float?
    let vitalityScoringVersion: Int64?
    /// From the frame at the still time to the photo; nil without one.
    let stillTransform: StillImageTransform?
    /// Whether the user data say that it is to be played again and again.
    let isLooped: Bool
    /// Errors in the sample tables, as sentences without a full stop.
    let tableFaults: [String]

    /// - Parameter readsLivePhotoInfo: whether rules check it; it takes a read for each frame.
    /// - Throws: `ParseError` if it is no movie; `Errno` of pread(2).
    init(_ file: InputFile, readsLivePhotoInfo: Bool) throws {
        try self.init(MovieReader(file), readsLivePhotoInfo: readsLivePhotoInfo)
    }

    /// - Throws: `Errno` of pread(2).
    init(_ reader: MovieReader, readsLivePhotoInfo: Bool = false) throws {
        brand = reader.fileType.map { $0.majorBrand.description }
        let brands = reader.fileType.map { [$0.majorBrand] + $0.compatibleBrands } ?? []
        isQuickTimeBrand = brands.contains("qt  ")
        isFragmented = reader.isFragmented
        contentIdentifier = reader.contentIdentifier
        timescale = Int32(clamping: reader.movie.header.timescale)
        let shown = reader.shownVideo
        videoTrackCount = reader.videoTrackCount
        video = shown.flatMap { try? VideoFacts($0) }
        displaySize = shown?.displaySize
        let candidates = try reader.stillImageTimeCandidates()
        stills = candidates.map(StillFacts.init)
        stillTransform =
            candidates.lazy.compactMap { $0.stillImageTime.flatMap { StillImageTransform($0.otherValues) } }.first
        func value(_ key: MetadataKey) -> MetadataValue? { reader.metadata.first { $0.key == key }?.value }
        (autoplay, vitalityScore) = (value(.autoplay)?.integer, value(.vitalityScore)?.float)
        vitalityScoringVersion = value(.vitalityScoringVersion)?.integer
        isLooped = reader.movie.isLooped
        strippedMetadataTracks = reader.tracks.filter(\.isStrippedTimedMetadata).map(\.id)
        videoEdits = shown?.box.edit?.list?.entries.count ?? 0
        livePhotoInfo = readsLivePhotoInfo ? try LivePhotoInfoFacts(reader) : .notRead
        tableFaults =
            reader.movie.unreadableBoxes.map { "the movie's \($0.type) cannot be read: \($0.error)" }
            + reader.tracks.compactMap { Self.fault(in: $0, of: reader) }
    }

    private static func fault(in track: Track, of reader: MovieReader) -> String? {
        guard !track.isStrippedTimedMetadata else { return nil }
        do throws(ParseError) {
            guard track.isInFile else { return "the samples of track \(track.id) are in another file" }
            guard let sample = try reader.firstMisplacedSample(of: track) else { return nil }
            let what = "sample \(sample.index) of track \(track.id), at byte \(sample.offset),"
            switch sample.place {
            case .beyondEndOfFile: return "\(what) lies beyond the end of the file"
            case .inside(let type): return "\(what) lies inside of the box \(type)"
            // Some writers give the media data box too small a size; players use the sample tables.
            case .betweenBoxes: return nil
            }
        } catch {
            return "\(error)"
        }
    }
}

/// The live-photo-info track of a movie.
enum LivePhotoInfoFacts: Sendable {
    case records(LivePhotoInfoRecords)
    case unreadable(ParseError)
    case missing
    /// No rule that is checked needs it.
    case notRead

    /// - Throws: `Errno` of pread(2).
    fileprivate init(_ reader: MovieReader) throws {
        do {
            let records = try reader.livePhotoInfoTrack.flatMap { try reader.livePhotoInfo(of: $0) }
            self = records.map { .records($0) } ?? .missing
        } catch let error as ParseError {
            self = .unreadable(error)
        }
    }
}

/// The properties of a video track that rules check.
struct VideoFacts: Sendable {
    enum Codec: Sendable {
        case h264, hevc, other
    }

    let codec: Codec
    /// `H.264 High, level 4.0`, or why it cannot be read.
    let codecName: String
    /// Whether current Apple devices decode it if they find the parameter sets.
    let isDecodedByDevices: Bool
    /// Whether the parameter sets are in the sample description, where Apple's players look for them.
    let hasParameterSetsInPlace: Bool
    /// Presentation times on the movie's timeline, ascending.
    let frameTimes: [MediaTime]
    let end: MediaTime
    /// On average.
    let framesPerSecond: Double

    init(_ track: Track) throws(ParseError) {
        (codec, codecName, isDecodedByDevices, hasParameterSetsInPlace) = Self.format(of: track)
        let frames = try track.frameTimes()
        frameTimes = frames.times
        end = frames.end ?? .zero
        framesPerSecond = frames.nominalRate?.framesPerSecond ?? 0
    }

    private static func format(of track: Track) -> (Codec, name: String, isDecoded: Bool, isComplete: Bool) {
        do throws(ParseError) {
            let descriptions = track.box.media.information.sampleTable.descriptions
            guard let format = try track.format(), let entry: VisualSampleEntry = try descriptions.firstEntry() else {
                return (.other, "of no format", false, false)
            }
            guard !format.isEncrypted else { return (.other, "\(format.name), encrypted", false, false) }
            let isDecoded = try entry.isDecodedByDevices
            switch format.type {
            case "avc1", "hvc1", "dvh1":
                let isComplete = try entry.hasParameterSets()
                let name = format.name + (isComplete ? "" : ", without parameter sets in the sample description")
                return (format.type == "avc1" ? .h264 : .hevc, name, isDecoded, isComplete)
            case "avc3", "hev1":
                let name = "\(format.name), of type \(format.type), which keeps parameter sets among the frames"
                return (format.type == "avc3" ? .h264 : .hevc, name, isDecoded, false)
            default: return (.other, format.name, isDecoded, false)
            }
        } catch {
            return (.other, "of a format that cannot be read: \(error)", false, false)
        }
    }
}

extension VisualSampleEntry {
    /// 4:2:0 with 8 bits, or 10 bits in HEVC.
    fileprivate var isDecodedByDevices: Bool {
        get throws(ParseError) {
            if let avc = configuration {
                let high = avc.highProfile
                return [66, 77, 88, 100].contains(avc.profile)
                    && (high?.chromaFormat ?? 1) <= 1 && (high?.lumaBitDepth ?? 8) == 8
            }
            guard let hevc = try hevcConfiguration() else { return false }
            return hevc.chromaFormat <= 1 && hevc.lumaBitDepth <= 10
        }
    }
}

extension Track {
    /// The size after rotation by the track's matrix.
    var displaySize: PixelSize? {
        let header = box.header
        let size = header.size.pixelSize
        guard size.shortEdge > 0 else { return nil }
        return header.matrix.orientation?.swapsAxes == true ? size.transposed : size
    }
}

/// The properties of a still-image-time track that rules check.
struct StillFacts: Sendable {
    /// Nil if the track has no still time, or cannot be read.
    let time: MediaTime?
    let sampleCount: Int
    let value: [UInt8]
    let isInt8: Bool
    let typeName: String
    /// According to the track's header.
    let trackDuration: MediaTime?
    /// Why the track cannot be read.
    let problem: ParseError?

    init(_ candidate: StillImageTimeCandidate) {
        time = candidate.stillImageTime?.time
        sampleCount = candidate.sampleCount
        value = candidate.stillImageTime?.value ?? []
        isInt8 = candidate.dataType == .wellKnown(.int8)
        typeName = candidate.dataType.map { "\($0)" } ?? "unknown"
        trackDuration = candidate.track.duration
        problem = candidate.problem
    }

    var valueText: String {
        value.count == 1 ? "\(Int8(bitPattern: value[0]))" : "\(value.count) bytes long"
    }
}
