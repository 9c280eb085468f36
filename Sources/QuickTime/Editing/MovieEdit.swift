import Bytes
import ISOBMFF
package import MediaModel

/// A change of a movie's description that makes it the paired video of a Live Photo, or a plain movie again.
///
/// All other bytes stay unchanged. The edit is a value; `changesInPlace()` and `write(to:)` apply it to files.
package struct MovieEdit: Sendable {
    package let reader: MovieReader
    /// `moov` without the track of the still image time.
    private(set) var movie: OpaqueBox
    private var still: Still?
    /// Whether `ftyp` becomes that of a QuickTime movie.
    let becomesQuickTime: Bool

    /// The track of the still image time that is added.
    fileprivate struct Still {
        let trackID: UInt32
        /// In ticks of the movie's timescale.
        let ticks: UInt64
        let time: MediaTime
        let otherValues: [TimedMetadataValue]
        let videoTrackID: UInt32
        /// Its index among the boxes of `moov`.
        var place = 0
    }

    /// Whether there is nothing to change.
    package let isUnchanged: Bool

    /// The still time that is written; nil if none is.
    package var stillTime: MediaTime? { still?.time }

    /// A new `mdat` with the sample of the still image time; nil if none is added.
    var mediaData: OpaqueBox? {
        still.map { OpaqueBox(type: "mdat", payload: StillImageTimeTrack.sample(otherValues: $0.otherValues)) }
    }
}

extension MovieEdit {
    /// Makes the movie the paired video of a Live Photo.
    ///
    /// The identifier is set in `moov/meta`. The track of the still image time replaces existing ones and keeps their
    /// transform and reference dimensions, unless the photo is replaced. Remains of such tracks (`Track.isStrippedTimedMetadata`) are removed. An ISO
    /// file becomes a QuickTime movie.
    ///
    /// - Parameters:
    ///   - stillTime: a presentation time of a frame of the first video track, or a time between two frames, as some cameras
    ///     write it; that is rounded to a tick where the movie's time scale has to be changed.
    ///   - keepsTransform: whether the transform from the frame to the photo is kept; false if the photo is replaced.
    ///   - captureDate: replaces the movie's; nil keeps it.
    ///   - location: replaces the movie's; nil keeps it.
    /// - Throws: `MovieEditError` for a movie that cannot be linked; `Errno` of pread(2).
    package init(
        linking reader: MovieReader, contentIdentifier: ContentIdentifier, stillTime: MediaTime,
        keepsTransform: Bool = true, captureDate: CaptureDate? = nil, location: GeographicLocation? = nil
    ) throws {
        let tracks = reader.tracks
        let candidates = try reader.stillImageTimeCandidates().filter { $0.dataType != nil }
        let oldIDs = Set(candidates.map(\.track.id))
        let isRemoved = { (track: Track) in
            track.isStrippedTimedMetadata || track.kind == .metadata && oldIDs.contains(track.id)
        }
        try reader.checkEditable(tracks.filter { !isRemoved($0) })
        let video = try reader.linkableVideo()
        let (clock, ticks, time) = try Self.clock(for: stillTime, of: video, in: reader)
        let old = candidates.lazy.compactMap(\.stillImageTime).first
        var header = reader.movie.header
        let keptIDs = Set(tracks.filter { !isRemoved($0) }.map(\.id))
        let oldID = old.flatMap { keptIDs.contains($0.trackID) ? nil : $0.trackID }
        let trackID = oldID ?? Self.nextTrackID(in: header, usedIDs: keptIDs)
        var still = Still(
            trackID: trackID, ticks: ticks, time: time, otherValues: keepsTransform ? Self.keptValues(of: old) : [],
            videoTrackID: video.id)
        clock.rescale(&header)
        header.include(still, captureDate)
        let becomesQuickTime = reader.fileType.map { $0.majorBrand != FileTypeBox.quickTime.majorBrand } ?? false
        var movie = try reader.movieBox()
        try movie.editBoxes { boxes in
            try boxes.edit([MovieHeaderBox.type]) { try $0.edit(as: MovieHeaderBox.self) { $0 = header } }
            try boxes.set(.contentIdentifier, FileText(contentIdentifier.string))
            if let captureDate { try boxes.set(.creationDate, FileText(captureDate.iso8601)) }
            if let location { try boxes.set(.location, FileText(location.iso6709)) }
            // Some players take the still time from the first track of timed metadata.
            var place: Int?
            var rest = tracks[...]
            var kept: [OpaqueBox] = []
            for var box in boxes {
                if box.type == TrackBox.type, let track = rest.popFirst() {
                    if track.kind == .metadata { place = place ?? kept.count }
                    if isRemoved(track) { continue }
                    try box.editBoxes { trackBoxes in
                        try clock.rescale(&trackBoxes)
                        if becomesQuickTime { try QuickTimeForm.convert(&trackBoxes, of: track) }
                        if track.id == video.id {
                            try Self.completeDescriptions(in: &trackBoxes, of: track, reader: reader)
                        }
                    }
                }
                kept.append(box)
            }
            boxes = kept
            if becomesQuickTime { boxes.convertMetadata(to: .quickTime) }
            still.place = place ?? boxes.lastIndex { $0.type == TrackBox.type }.map { $0 + 1 } ?? boxes.count
        }
        self.reader = reader
        self.movie = movie
        self.still = still
        self.becomesQuickTime = becomesQuickTime
        isUnchanged = false
    }

    /// Leaves the movie unchanged, for a copy that begins with `ftyp`, which devices may omit.
    ///
    /// - Throws: `MovieEditError` for a movie that cannot be copied; `Errno` of pread(2).
    package init(copying reader: MovieReader) throws {
        try reader.checkEditable(reader.tracks)
        self.reader = reader
        movie = try reader.movieBox()
        still = nil
        becomesQuickTime = false
        isUnchanged = true
    }

    /// Sets when and where the movie was shot, and changes nothing else.
    ///
    /// - Parameters:
    ///   - captureDate: nil keeps the movie's.
    ///   - location: nil keeps the movie's.
    /// - Throws: `MovieEditError` for a movie that cannot be changed; `Errno` of pread(2).
    package init(
        describing reader: MovieReader, captureDate: CaptureDate?, location: GeographicLocation?
    ) throws {
        try reader.checkEditable(reader.tracks)
        let before = try reader.movieBox()
        var movie = before
        try movie.editBoxes { boxes in
            if let captureDate {
                try boxes.edit([MovieHeaderBox.type]) {
                    try $0.edit(as: MovieHeaderBox.self) { header in
                        header.times = HeaderTimes(captureDate) ?? .unknown
                    }
                }
                try boxes.set(.creationDate, FileText(captureDate.iso8601))
            }
            if let location { try boxes.set(.location, FileText(location.iso6709)) }
        }
        self.reader = reader
        self.movie = movie
        still = nil
        becomesQuickTime = false
        isUnchanged = movie == before
    }

    /// Makes a plain movie of the paired video of a Live Photo: removes identifier and still image time.
    ///
    /// The track of live-photo-info stays, since it does not link the movie and cannot be recreated. The movie stays a
    /// QuickTime movie.
    ///
    /// - Throws: `MovieEditError` for a movie that cannot be changed; `Errno` of pread(2).
    package init(unlinking reader: MovieReader) throws {
        let removed = Set(try reader.stillImageTimeCandidates().filter { $0.dataType != nil }.map(\.track.id))
        let isRemoved = { (track: Track) in track.kind == .metadata && removed.contains(track.id) }
        try reader.checkEditable(reader.tracks.filter { !isRemoved($0) && !$0.isStrippedTimedMetadata })
        let before = try reader.movieBox()
        var movie = before
        try movie.editBoxes { boxes in
            var rest = reader.tracks[...]
            boxes.removeAll { box in
                guard box.type == TrackBox.type, let track = rest.popFirst() else { return false }
                return isRemoved(track)
            }
            try boxes.removeLink()
        }
        self.reader = reader
        self.movie = movie
        still = nil
        becomesQuickTime = false
        isUnchanged = movie == before
    }

    /// A clock on which the still time is a whole number of ticks, and that number.
    private static func clock(
        for stillTime: MediaTime, of video: Track, in reader: MovieReader
    ) throws -> (MovieClock, ticks: UInt64, time: MediaTime) {
        let frames = try video.frameTimes()
        guard stillTime >= .zero, frames.index(at: stillTime) != nil else {
            throw MovieEditError.noFrame(at: stillTime)
        }
        let movie = Int32(clamping: reader.movie.header.timescale)
        let media = try video.timescale
        let clock = MovieClock(movie: movie, media: media, isExact: stillTime.rescaled(to: movie) == stillTime)
        guard frames.times.contains(stillTime) else {
            let ticks = stillTime.rescaled(to: clock.new, .down)
            return (clock, UInt64(ticks.value), ticks)
        }
        // The time within the media is exact on the media's clock; empty edits before it are rounded like all edits.
        let timeline = try video.timeline()
        let delay = clock.rescaled(UInt64(max(timeline.delay.rescaled(to: movie).value, 0)))
        let shown = (stillTime - timeline.delay).rescaled(to: media).rescaled(to: clock.new).value
        guard let ticks = UInt64(exactly: Int64(clamping: delay) + shown) else {
            throw MovieEditError.noFrame(at: stillTime)
        }
        return (clock, ticks, stillTime)
    }

    private static func nextTrackID(in header: MovieHeaderBox, usedIDs: Set<UInt32>) -> UInt32 {
        let last = usedIDs.max() ?? 0
        if header.nextTrackID > last, header.nextTrackID < .max { return header.nextTrackID }
        // If the highest id is in use, a lower one is free, since there are fewer tracks than ids.
        return last < .max - 1 ? last + 1 : (1...UInt32.max).first { !usedIDs.contains($0) } ?? 0
    }

    private static func keptValues(of still: StillImageTime?) -> [TimedMetadataValue] {
        let keys: [MetadataKey] = [.stillImageTransform, .stillImageTransformReferenceDimensions]
        return keys.compactMap { key in
            still?.otherValues.first { $0.key == key && $0.dataType != nil }
        }
    }

    private static func completeDescriptions(
        in boxes: inout [OpaqueBox], of track: Track, reader: MovieReader
    ) throws {
        try boxes.editSampleEntries { entry in
            try ParameterSets.complete(&entry, of: track) {
                guard let sample = try track.samples().first(where: \.isSync) else { return [] }
                return try reader.bytes(of: sample)
            }
            try VideoColor.complete(&entry)
        }
    }
}

extension MovieEdit {
    /// The new `moov`, header included.
    ///
    /// - Parameters:
    ///   - sampleOffset: the file offset of the payload of `mediaData`.
    ///   - move: the new offset of a byte of the media; nil if it is unknown and stays unchanged.
    /// - Throws: `MovieEditError` if it would be too large to be read back.
    func movieBytes(sampleOffset: Int, moving move: ((UInt64) -> UInt64?)? = nil) throws -> [UInt8] {
        var movie = self.movie
        try movie.editBoxes { boxes in
            if let move {
                for index in boxes.indices where boxes[index].type == TrackBox.type {
                    try boxes[index].moveChunks(move)
                }
            }
            guard let still else { return }
            let track = StillImageTimeTrack.track(
                id: still.trackID, stillTime: still.ticks, sampleOffset: UInt64(sampleOffset),
                otherValues: still.otherValues, videoTrackID: still.videoTrackID, times: reader.movie.header.times)
            boxes.insert(OpaqueBox(writing: track), at: still.place)
        }
        try movie.checkReadable()
        return movie.bytes
    }
}

extension OpaqueBox {
    /// Throws unless this is a `moov` that can be read back.
    func checkReadable() throws(MovieEditError) {
        guard payload.count < MovieLimits.movieBoxSize else { throw .tooLarge }
        do throws(ParseError) {
            var payload = reader
            _ = try MovieBox(from: &payload)
        } catch {
            throw .damaged(error)
        }
    }

    /// Changes the offsets of the samples in a `trak`.
    ///
    /// - Parameter move: the new offset of a byte of the media; nil if it is unknown and stays unchanged.
    mutating func moveChunks(_ move: (UInt64) -> UInt64?) throws {
        try editBoxes { try $0.edit(.sampleTable) { try $0.editBoxes { try $0.moveChunks(move) } } }
    }
}

extension [OpaqueBox] {
    /// Changes the offsets in `stco` or `co64`; the table becomes `co64` if an offset needs 64 bits, otherwise `stco`.
    fileprivate mutating func moveChunks(_ move: (UInt64) -> UInt64?) throws {
        guard let index = firstIndex(where: { $0.type == ChunkOffsetBox.type || $0.type == ChunkOffsetBox.longType })
        else { return }
        var reader = self[index].reader
        let isLong = self[index].type == ChunkOffsetBox.longType
        var box = isLong ? try ChunkOffsetBox(long: reader) : try ChunkOffsetBox(from: &reader)
        box.offsets = box.offsets.map { move($0) ?? $0 }
        self[index] = OpaqueBox(writing: box)
    }
}

extension MovieHeaderBox {
    /// Makes room for the sample and the number of a track.
    fileprivate mutating func include(_ still: MovieEdit.Still, _ captureDate: CaptureDate?) {
        duration = duration.map { max($0, still.ticks + 1) }
        if still.trackID >= nextTrackID, still.trackID < .max { nextTrackID = still.trackID + 1 }
        if let captureDate { times = HeaderTimes(captureDate) ?? .unknown }
    }
}
