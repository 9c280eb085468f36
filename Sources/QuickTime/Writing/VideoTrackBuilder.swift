import Bytes
import ISOBMFF
import MediaModel

/// Collects the frames of a movie to be written, then builds their `trak`.
struct VideoTrackBuilder {
    private let format: VideoFormat
    private let size: (width: UInt16, height: UInt16)
    private var chunks = ChunkTable(timescale: Int(MovieWriter.timescale))
    private var presentation: [Int32] = []
    private var latest: Int32 = 0
    private var syncSamples: [UInt32] = []
    private var dependencies: [Dependency] = []

    /// The flags of one sample in `sdtp` (ISO/IEC 14496-12, 8.6.4).
    private enum Dependency: UInt8 {
        case independent = 0x20
        /// Whether other samples depend on it is unknown.
        case dependent = 0x10
        /// Dependent, and no other sample depends on it.
        case disposable = 0x18
    }

    init(_ format: VideoFormat) throws(MovieWriterError) {
        guard let width = UInt16(exactly: format.size.width), let height = UInt16(exactly: format.size.height),
            width > 0, height > 0
        else { throw .sizeOutOfRange(format.size) }
        self.format = format
        size = (width, height)
    }

    /// - Parameter time: the presentation time in ticks.
    mutating func add(_ sample: VideoSample, at offset: Int, size: UInt32, time: Int32) throws(MovieWriterError) {
        guard !presentation.isEmpty || sample.isSync else { throw .firstFrameNotSync }
        // The duration of a chunk is the time by which its frames extend beyond the previous ones.
        chunks.add(offset: offset, size: size, duration: Int(max(time - latest, 0)))
        latest = max(latest, time)
        presentation.append(time)
        if sample.isSync { syncSamples.append(UInt32(presentation.count)) }
        dependencies.append(sample.isSync ? .independent : sample.isDisposable ? .disposable : .dependent)
    }

    /// Whether a frame is shown at this time.
    func hasFrame(at time: Int32) -> Bool { presentation.contains(time) }

    func track(id: UInt32, duration: Int32, times: HeaderTimes) throws(MovieWriterError) -> TrackBox {
        let decoding = try DecodeTimes(presentation: presentation, duration: duration)
        let header = TrackHeaderBox(
            times: times, trackID: id, duration: UInt64(duration), size: FixedSize(format.size))
        let mediaHeader = MediaHeaderBox(
            times: times, timescale: UInt32(MovieWriter.timescale), duration: UInt64(duration))
        let edit = EditListBox.Entry(duration: UInt64(duration), mediaTime: Int64(decoding.delay))
        return TrackBox(
            header: header,
            aperture: aperture(header.size),
            edit: EditBox(EditListBox(entries: [edit])),
            media: MediaBox(
                header: mediaHeader, handler: .video,
                information: MediaInformationBox(
                    mediaHeader: .videoMediaHeader, sampleTable: sampleTable(decoding, duration))))
    }

    /// `tapt`, whose three sizes are the same for square pixels without a clean aperture (QuickTime File Format, "Track
    /// aperture mode dimensions atom").
    private func aperture(_ size: FixedSize) -> OpaqueBox {
        OpaqueBox("tapt") { aperture in
            for type: FourCC in ["clef", "prof", "enof"] {
                aperture.box(type) { box in
                    box.fullBoxHeader()
                    size.write(to: &box)
                }
            }
        }
    }

    private var sampleEntry: VisualSampleEntry {
        let color = ColorBox(.quickTime(format.color))
        switch format.configuration {
        case .h264(let configuration):
            var entry = VisualSampleEntry(type: "avc1", width: size.width, height: size.height, compressor: "H.264")
            (entry.configuration, entry.color) = (configuration, color)
            return entry
        case .hevc(let parameterSets):
            var entry = VisualSampleEntry(type: "hvc1", width: size.width, height: size.height, compressor: "HEVC")
            let configuration = OpaqueBox(type: HEVCConfiguration.type, payload: parameterSets.complete)
            entry.others = [configuration, OpaqueBox(writing: color)] + (format.hdrMetadata?.boxes ?? [])
            return entry
        }
    }

    private func sampleTable(_ decoding: DecodeTimes, _ duration: Int32) -> SampleTableBox {
        let entry = sampleEntry
        var table = chunks.sampleTable(SampleDescriptionBox(entry), TimeToSampleBox(durations: decoding.durations))
        if decoding.isReordered {
            let offsets = decoding.compositionOffsets
            table.compositionOffsets = CompositionOffsetBox(offsets: offsets)
            // Composition shift, least and greatest offset, start and end (ISO/IEC 14496-12, 8.6.1.4). The delay is less
            // than the duration, which is at most 2³⁰.
            let fields = [
                0, offsets.min() ?? 0, offsets.max() ?? 0, decoding.delay, decoding.delay + duration,
            ]
            table.compositionToDecode = OpaqueBox("cslg") { box in
                box.fullBoxHeader()
                for field in fields { box.integer(field) }
            }
        }
        if syncSamples.count < presentation.count {
            table.syncSamples = SyncSampleBox(sampleNumbers: syncSamples)
        }
        table.dependencies = OpaqueBox(type: "sdtp", payload: [0, 0, 0, 0] + dependencies.map(\.rawValue))
        return table
    }
}

extension HDRMetadata {
    /// `mdcv` and `clli` (ISO/IEC 14496-12, 12.1.6 and 12.1.7).
    fileprivate var boxes: [OpaqueBox] {
        let mastering = display.map { display in
            OpaqueBox("mdcv") { box in
                for point in [display.green, display.blue, display.red, display.white] {
                    box.integer(point.x)
                    box.integer(point.y)
                }
                box.integer(display.brightest)
                box.integer(display.darkest)
            }
        }
        let light = lightLevel.map { level in
            OpaqueBox("clli") { box in
                box.integer(level.pixel)
                box.integer(level.frame)
            }
        }
        return [mastering, light].compactMap(\.self)
    }
}
