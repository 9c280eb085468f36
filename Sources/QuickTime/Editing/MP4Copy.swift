package import Bytes
import ISOBMFF

/// A movie as an MP4 for players that do not read QuickTime movies: `ftyp`, the samples of the kept tracks, `moov`.
///
/// Samples, times and edit lists stay unchanged. The video, sound that players of motion photos support, and timed metadata
/// are kept. Other tracks, and boxes at the top level besides those three, are left out.
package struct MP4Copy: Sendable {
    package enum Sound: Sendable {
        case keep, drop
    }

    private let reader: MovieReader
    private let tracks: [Track]
    private let movie: OpaqueBox

    /// - Throws: `MovieEditError` for a movie that cannot be copied, or with sound that is to be kept and is not supported;
    ///   `Errno` of pread(2).
    package init(_ reader: MovieReader, sound: Sound) throws {
        let videoCount = reader.tracks.count { $0.kind == .video }
        guard videoCount <= 1 else { throw MovieEditError.severalVideos(count: videoCount) }
        let tracks = reader.tracks.filter { track in
            switch track.kind {
            case .video: true
            case .audio: sound == .keep
            case .metadata: !track.isStrippedTimedMetadata
            case .other: false
            }
        }
        try reader.checkEditable(tracks)
        _ = try reader.linkableVideo()
        for track in tracks where track.kind == .audio { try Self.checkSound(of: track) }
        self.reader = reader
        self.tracks = tracks
        movie = try Self.movie(of: reader, tracks)
    }

    /// The movie in pieces of its file and new ones.
    ///
    /// - Throws: `MovieEditError`.
    package func pieces() throws -> FilePieces {
        var pieces = FilePieces()
        pieces.append(OpaqueBox(writing: MP4Form.fileType).bytes)
        let chunks = try ChunkPlaces(of: tracks, in: reader.file)
        pieces.append(BoxHeader("mdat", payloadSize: chunks.size).bytes)
        let start = pieces.count
        for range in chunks.ranges { pieces.append(range, of: reader.file) }
        pieces.append(try movieBytes { UInt64(start + (chunks.place(of: $0) ?? 0)) })
        return pieces
    }

    private func movieBytes(moving move: (UInt64) -> UInt64?) throws -> [UInt8] {
        var movie = self.movie
        try movie.editBoxes { boxes in
            for index in boxes.indices where boxes[index].type == TrackBox.type { try boxes[index].moveChunks(move) }
        }
        try movie.checkReadable()
        return movie.bytes
    }

    private static func movie(of reader: MovieReader, _ tracks: [Track]) throws -> OpaqueBox {
        let keptIDs = Set(tracks.map(\.id))
        var movie = try reader.movieBox()
        try movie.editBoxes { boxes in
            var rest = reader.tracks[...]
            var kept: [OpaqueBox] = []
            for var box in boxes {
                if box.type == TrackBox.type, let track = rest.popFirst() {
                    guard keptIDs.contains(track.id) else { continue }
                    try box.editBoxes { try MP4Form.convert(&$0, of: track, keptIDs: keptIDs) }
                }
                kept.append(box)
            }
            boxes = kept
            boxes.convertMetadata(to: .iso)
            try boxes.edit([MovieHeaderBox.type]) { box in
                try box.edit(as: MovieHeaderBox.self) { header in
                    header.playbackTimes = header.playbackTimes.map { _ in 0 }
                    // The duration is that of the longest track (ISO/IEC 14496-12, 8.2.2).
                    guard tracks.count < reader.tracks.count else { return }
                    header.duration = tracks.compactMap(\.box.header.duration).max() ?? header.duration
                }
            }
        }
        return movie
    }

    /// AAC-LC at the rates of Motion Photo format 1.0.
    private static func checkSound(of track: Track) throws {
        let descriptions = track.box.media.information.sampleTable.descriptions
        let entry = try descriptions.firstEntry(as: AudioSampleEntry.self)
        guard entry?.type == "mp4a", let stream = entry?.elementaryStream, stream.isMotionPhotoSound,
            descriptions.entries.count == 1
        else {
            // A damaged entry may state any floating-point number.
            let rate = Int(exactly: (entry?.rate ?? 0).rounded()) ?? 0
            let name = (try? track.format()?.name) ?? "of no known codec"
            throw MovieEditError.unsupportedSound(name: name, rate: rate)
        }
    }
}

extension ESDescriptorBox {
    /// Whether it is AAC-LC at 96, 48 or 44.1 kHz (ISO/IEC 14496-3, 1.6.2.1).
    fileprivate var isMotionPhotoSound: Bool {
        guard objectType == 0x40, decoderSpecificInfo.count > 1 else { return false }
        let (first, second) = (decoderSpecificInfo[0], decoderSpecificInfo[1])
        return first >> 3 == 2 && [0, 3, 4].contains((first & 7) << 1 | second >> 7)
    }
}

/// The places of the chunks of some tracks in a file, and in a copy that holds nothing else, in the same order.
private struct ChunkPlaces {
    /// In the old file, ascending and apart from each other.
    private(set) var ranges: [Range<Int>] = []
    /// The start of each range in the copy.
    private var starts: [Int] = []
    /// In bytes.
    private(set) var size = 0

    init(of tracks: [Track], in file: InputFile) throws {
        var chunks: [Range<Int>] = []
        do throws(ParseError) {
            for track in tracks {
                let samples = try track.samples()
                for chunk in samples.chunks {
                    let size = samples.size(of: chunk)
                    guard chunk.offset <= file.size, size <= file.size - chunk.offset else {
                        throw track.error(
                            .truncated, in: ChunkOffsetBox.type,
                            expected: "samples within the file, found \(size) bytes at byte \(chunk.offset)")
                    }
                    chunks.append(chunk.offset..<chunk.offset + size)
                }
            }
        } catch {
            throw MovieEditError.damaged(error)
        }
        for chunk in chunks.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, chunk.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, chunk.upperBound)
            } else {
                ranges.append(chunk)
            }
        }
        for range in ranges {
            starts.append(size)
            size += range.count
        }
    }

    /// The offset in the copy of a chunk's first byte; nil for a chunk without samples.
    func place(of offset: UInt64) -> Int? {
        guard let offset = Int(exactly: offset) else { return nil }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0, offset <= ranges[low - 1].upperBound else { return nil }
        return starts[low - 1] + offset - ranges[low - 1].lowerBound
    }
}
