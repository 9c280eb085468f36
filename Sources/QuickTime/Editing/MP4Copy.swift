package import Bytes
import ISOBMFF
package import MediaModel

/// A movie as an MP4 for players that do not read QuickTime movies: `ftyp`, the samples of the kept tracks, `moov`.
///
/// Samples, times and edit lists stay unchanged. The first video track, one track of sound that players of motion photos
/// support, and timed metadata are kept, or a video or sound track of another movie takes their place. Other tracks, and
/// boxes at the top level besides those three, are left out.
package struct MP4Copy: Sendable {
    package enum Purpose: Sendable {
        /// With timed metadata, from which the pair can be restored.
        case motionPhoto
        /// For any player: without timed metadata and content identifier, and with `moov` before the samples, so that
        /// it can be played while it is loaded.
        ///
        /// - Parameter cover: a JPEG that programs may show for the file.
        case playback(cover: [UInt8]?)
    }

    package enum Sound: Sendable {
        /// The first track that players of motion photos support.
        case keep
        case drop
        /// The first track of sound of another movie, on the same timeline.
        case replace(MovieReader)
    }

    /// A video track from another movie.
    package struct Video: Sendable {
        package let reader: MovieReader
        /// The time in this movie at which the other one begins.
        package let start: MediaTime

        package init(_ reader: MovieReader, start: MediaTime) {
            (self.reader, self.start) = (reader, start)
        }
    }

    /// The files that the tracks are copied from.
    private let sources: [Source]
    /// For each `trak` in `movie`, the index of its file.
    private let sourceIndices: [Int]
    private let movie: OpaqueBox
    private let beginsWithMovie: Bool

    private struct Source {
        let file: InputFile
        var tracks: [Track]
    }

    /// - Parameters:
    ///   - sound: which sound is kept.
    ///   - video: replaces the video.
    ///   - purpose: who reads it.
    /// - Throws: `MovieEditError` for a movie that cannot be copied, or with sound that is to be kept and is not supported;
    ///   `Errno` of pread(2).
    package init(
        _ reader: MovieReader, sound: Sound, video: Video? = nil, for purpose: Purpose = .motionPhoto
    ) throws {
        let choice = try TrackChoice(reader, sound, video, purpose)
        let kept = reader.tracks.filter { choice.copies[$0.id] == true }
        try reader.checkEditable(kept)
        if video == nil { _ = try reader.linkableVideo() }
        let movie = try Self.movie(of: reader, choice, purpose)
        var sources = [Source(file: reader.file, tracks: kept)]
        var indices: [Int] = []
        for track in reader.tracks where choice.copies[track.id] != nil {
            guard let other = choice.replacements[track.id] else {
                indices.append(0)
                continue
            }
            indices.append(sources.count)
            sources.append(Source(file: other.reader.file, tracks: [other.track]))
        }
        (self.sources, sourceIndices, self.movie) = (sources, indices, movie)
        beginsWithMovie = if case .playback = purpose { true } else { false }
    }

    /// The movie in pieces of its files and new ones.
    ///
    /// - Throws: `MovieEditError`.
    package func pieces() throws -> FilePieces {
        let fileType = OpaqueBox(writing: MP4Form.fileType).bytes
        let chunks = try sources.map { try ChunkPlaces(of: $0.tracks, in: $0.file) }
        let header = BoxHeader("mdat", payloadSize: chunks.reduce(0) { $0 + $1.size }).bytes
        func movie(after start: Int) throws -> [UInt8] {
            var starts: [Int] = []
            var end = start + header.count
            for places in chunks {
                starts.append(end)
                end += places.size
            }
            return try self.movieBytes { source, offset in
                UInt64(starts[source] + (chunks[source].place(of: offset) ?? 0))
            }
        }
        var movieBytes = try movie(after: fileType.count)
        if beginsWithMovie {
            // Only where offsets exceed 32 bits does the size of `moov` depend on them.
            let size = movieBytes.count
            movieBytes = try movie(after: fileType.count + size)
            if movieBytes.count != size { movieBytes = try movie(after: fileType.count + movieBytes.count) }
        }
        var pieces = FilePieces()
        pieces.append(fileType)
        if beginsWithMovie { pieces.append(movieBytes) }
        pieces.append(header)
        for (source, places) in zip(sources, chunks) {
            for range in places.ranges { pieces.append(range, of: source.file) }
        }
        if !beginsWithMovie { pieces.append(movieBytes) }
        return pieces
    }

    /// - Parameter move: returns the new offset of a byte of a source.
    private func movieBytes(moving move: (_ source: Int, _ offset: UInt64) -> UInt64?) throws -> [UInt8] {
        var movie = self.movie
        try movie.editBoxes { boxes in
            let tracks = boxes.indices.filter { boxes[$0].type == TrackBox.type }
            for (index, source) in zip(tracks, sourceIndices) { try boxes[index].moveChunks { move(source, $0) } }
        }
        try movie.checkReadable()
        return movie.bytes
    }

    private static func movie(
        of reader: MovieReader, _ choice: TrackChoice, _ purpose: Purpose
    ) throws -> OpaqueBox {
        let keptIDs = Set(choice.copies.keys)
        var movie = try reader.movieBox()
        try movie.editBoxes { boxes in
            var rest = reader.tracks[...]
            var kept: [OpaqueBox] = []
            var durations: [UInt64] = []
            for var box in boxes {
                if box.type == TrackBox.type, let track = rest.popFirst() {
                    guard keptIDs.contains(track.id) else { continue }
                    let new = try choice.replacements[track.id]?.track(for: track, in: reader)
                    if let new { box = OpaqueBox(writing: new.box) }
                    durations += [(new ?? track).box.header.duration].compactMap(\.self)
                    try box.editBoxes { try MP4Form.convert(&$0, of: new ?? track, keptIDs: keptIDs) }
                }
                kept.append(box)
            }
            boxes = kept
            if case .playback(let cover) = purpose {
                try boxes.removeLink()
                if let cover { boxes.append(MP4Form.userData(cover: cover)) }
            }
            boxes.convertMetadata(to: .iso)
            let isChanged = keptIDs.count < reader.tracks.count || !choice.replacements.isEmpty
            try boxes.edit([MovieHeaderBox.type]) { box in
                try box.edit(as: MovieHeaderBox.self) { header in
                    header.playbackTimes = header.playbackTimes.map { _ in 0 }
                    // The duration is that of the longest track (ISO/IEC 14496-12, 8.2.2).
                    if isChanged { header.duration = durations.max() ?? header.duration }
                }
            }
        }
        return movie
    }
}

/// Which tracks of a movie an MP4 gets.
private struct TrackChoice {
    struct Replacement {
        let reader: MovieReader
        let track: Track
        var start: MediaTime = .zero
    }

    /// The kept tracks by their IDs; false for those whose media are replaced.
    private(set) var copies: [UInt32: Bool] = [:]
    /// By the ID of the replaced track.
    private(set) var replacements: [UInt32: Replacement] = [:]

    init(
        _ reader: MovieReader, _ sound: MP4Copy.Sound, _ video: MP4Copy.Video?, _ purpose: MP4Copy.Purpose
    ) throws {
        guard let main = reader.shownVideo else { throw MovieEditError.noVideo }
        copies[main.id] = video == nil
        if let video {
            replacements[main.id] = Replacement(
                reader: video.reader, track: try video.reader.linkableVideo(), start: video.start)
        }
        let sounds = reader.heardSounds
        if let first = sounds.first {
            switch sound {
            case .drop: break
            case .keep:
                guard let track = reader.motionPhotoSound else { throw first.unsupportedSound }
                copies[track.id] = true
            case .replace(let other):
                guard let track = other.tracks.first(where: { $0.kind == .audio }) else { break }
                guard track.isMotionPhotoSound else { throw track.unsupportedSound }
                copies[first.id] = false
                replacements[first.id] = Replacement(reader: other, track: track)
            }
        }
        if case .motionPhoto = purpose {
            for track in reader.tracks where track.kind == .metadata && !track.isStrippedTimedMetadata {
                copies[track.id] = true
            }
        }
        for replacement in replacements.values { try replacement.reader.checkEditable([replacement.track]) }
    }
}

extension TrackChoice.Replacement {
    /// This track in place of one in another movie, with its ID, times and language.
    func track(for old: Track, in movie: MovieReader) throws -> Track {
        let clock = MovieClock(
            old: Int32(clamping: reader.movie.header.timescale), new: Int32(clamping: movie.movie.header.timescale))
        var box = track.box
        let delay = UInt64(max(start.rescaled(to: clock.new).value, 0))
        box.header.trackID = old.id
        box.header.times = old.box.header.times
        box.header.duration = box.header.duration.map { clock.rescaled($0) + delay }
        box.media.header.times = old.box.media.header.times
        box.media.header.language = old.box.media.header.language
        var edits = box.edit?.list?.entries ?? []
        // A track without an edit list is played from the start of its media.
        if edits.isEmpty, delay > 0 {
            let end = try track.frameTimes().end?.rescaled(to: clock.old).value ?? 0
            let duration = max(track.box.header.duration ?? 0, UInt64(max(end, 0)))
            edits = [EditListBox.Entry(duration: duration, mediaTime: 0)]
            box.header.duration = clock.rescaled(duration) + delay
        }
        for index in edits.indices { edits[index].duration = clock.rescaled(edits[index].duration) }
        if delay > 0 { edits.insert(EditListBox.Entry(duration: delay, mediaTime: nil), at: 0) }
        if !edits.isEmpty { box.edit = EditBox(EditListBox(entries: edits)) }
        return track.replacing(box)
    }
}

extension MovieReader {
    /// The tracks of sound that players play: the others are alternatives, unless all are disabled.
    fileprivate var heardSounds: [Track] {
        let sounds = tracks.filter { $0.kind == .audio }
        let enabled = sounds.filter(\.isEnabled)
        return enabled.isEmpty ? sounds : enabled
    }

    /// The sound that `MP4Copy` keeps.
    fileprivate var motionPhotoSound: Track? { heardSounds.first(where: \.isMotionPhotoSound) }

    /// What a motion photo needs of this movie's sound.
    package var motionPhotoSoundState: MotionPhotoSoundState {
        heardSounds.isEmpty ? .none : motionPhotoSound == nil ? .unsupported : .supported
    }
}

/// Whether players of motion photos play the sound of a movie.
package enum MotionPhotoSoundState: Sendable {
    /// The movie has no sound.
    case none
    case supported
    case unsupported
}

extension Track {
    /// Whether it is AAC-LC at a rate of Motion Photo format 1.0.
    package var isMotionPhotoSound: Bool {
        let descriptions = box.media.information.sampleTable.descriptions
        guard let entry = try? descriptions.firstEntry(as: AudioSampleEntry.self), entry.type == "mp4a",
            let stream = entry.elementaryStream
        else { return false }
        return stream.isMotionPhotoSound && descriptions.entries.count == 1
    }

    fileprivate var unsupportedSound: MovieEditError {
        let entry = try? box.media.information.sampleTable.descriptions.firstEntry(as: AudioSampleEntry.self)
        // A damaged entry may state any floating-point number.
        let rate = Int(exactly: (entry?.rate ?? 0).rounded()) ?? 0
        let name = (try? format()?.name) ?? "of no known codec"
        return .unsupportedSound(name: name, rate: rate)
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
