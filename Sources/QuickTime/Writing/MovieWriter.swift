package import Bytes
import ISOBMFF
package import MediaModel

/// Writes the paired video of a Live Photo into a new file, samples as they are appended and `moov` at the end.
///
/// Equal input gives equal bytes. An error leaves an unfinished file behind, for the caller to remove.
package final class MovieWriter {
    /// Ticks a second of the movie and of its video: 15, 12.5, 12, 30 and 60 frames a second have whole durations.
    package static let timescale: Int32 = 600

    private static let videoTrackID: UInt32 = 1

    private let file: OutputFile
    private let codec: VideoCodec
    private let mediaDataStart: Int
    private var video: VideoTrackBuilder
    private var audio: AudioTrackBuilder?
    private var isFinished = false

    /// Begins the movie.
    ///
    /// - Parameter file: new and empty.
    /// - Throws: `MovieWriterError` for a format that a movie cannot hold; `Errno` of write(2).
    package init(to file: OutputFile, video: VideoFormat, audio: AudioFormat?) throws {
        (self.file, codec) = (file, video.codec)
        self.video = try VideoTrackBuilder(video)
        self.audio = try audio.map { try AudioTrackBuilder($0) }
        let fileType = OpaqueBox(writing: FileTypeBox.quickTime).bytes
        mediaDataStart = fileType.count
        try file.write(fileType + MediaDataHeader.placeholder)
    }

    /// Adds the next frame in decode order. Its decode time is derived from all presentation times.
    ///
    /// - Parameters:
    ///   - annexB: one access unit between start codes, as the encoder returns it.
    ///   - presentationTime: on the movie's timeline, whose 0 is the frame that is shown first.
    ///   - keepsInformation: whether supplemental enhancement information stays.
    /// - Throws: `MovieWriterError`; `ParseError` when it is no access unit; `Errno` of write(2).
    package func appendVideo(
        annexB: Span<UInt8>, presentationTime: MediaTime, keepsInformation: Bool = true
    ) throws {
        guard !isFinished else { throw MovieWriterError.finished }
        let time = try Self.ticks(presentationTime)
        let sample = try VideoSample(codec, annexB: annexB, keepsInformation: keepsInformation)
        try video.add(sample, at: file.position, size: try Self.size(sample.bytes), time: time)
        try file.write(sample.bytes)
    }

    /// Adds the next packet of AAC, without an ADTS header.
    ///
    /// - Throws: `MovieWriterError`; `Errno` of write(2).
    package func appendAudio(_ packet: [UInt8]) throws {
        guard !isFinished else { throw MovieWriterError.finished }
        guard audio != nil else { throw MovieWriterError.audioWithoutFormat }
        audio?.add(at: file.position, size: try Self.size(packet))
        try file.write(packet)
    }

    /// Writes the still image time and `moov`, and waits until the disk has the file (fsync(2)).
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the whole movie, including the content identifier.
    ///   - timedMetadata: further timed metadata. Their tracks follow that of the still image time: some players take the
    ///     still time from the first one.
    ///   - times: the creation and modification times in the headers.
    /// - Throws: `MovieWriterError`; `Errno` of write(2), fsync(2).
    package func finish(
        _ timing: MovieTiming, metadata: [MetadataItem], timedMetadata: MovieTimedMetadata = MovieTimedMetadata(),
        times: HeaderTimes = .unknown
    ) throws {
        guard !isFinished else { throw MovieWriterError.finished }
        isFinished = true
        let movie = try movieBox(timing, metadata, timedMetadata, metadataOffset: file.position, times)
        try file.write(StillImageTimeTrack.sample(otherValues: timedMetadata.stillValues))
        for sample in timedMetadata.tracks.flatMap(\.samples) { try file.write(sample.bytes) }
        let payloadSize = file.position - mediaDataStart - MediaDataHeader.placeholder.count
        try file.write(OpaqueBox(writing: movie).bytes)
        let patch = MediaDataHeader.patch(payloadSize: payloadSize)
        try file.overwrite(at: mediaDataStart + patch.offset, with: patch.bytes)
        try file.synchronize()
    }

    /// - Parameter metadataOffset: the file offset of the sample of the still image time and of those after it.
    private func movieBox(
        _ timing: MovieTiming, _ metadata: [MetadataItem], _ timedMetadata: MovieTimedMetadata, metadataOffset: Int,
        _ times: HeaderTimes
    ) throws(MovieWriterError) -> MovieBox {
        let duration = try Self.ticks(timing.duration)
        let stillTime = try Self.ticks(timing.stillTime)
        var tracks = [try video.track(id: Self.videoTrackID, duration: duration, times: times)]
        tracks[0].others += timedMetadata.videoTrackMetadata.map { [$0] } ?? []
        guard video.hasFrame(at: stillTime) || timing.keepsStillOfCamera && stillTime < duration else {
            throw .stillBetweenFrames(timing.stillTime)
        }
        switch (audio.flatMap { $0.isEmpty ? nil : $0 }, timing.audio) {
        case (let audio?, let edit?):
            tracks.append(try audio.track(id: UInt32(tracks.count + 1), edit: edit, times: times))
        case (nil, nil): break
        case (.some, nil), (nil, .some): throw .audioEditMismatch
        }
        tracks.append(
            StillImageTimeTrack.track(
                id: UInt32(tracks.count + 1), stillTime: UInt64(stillTime), sampleOffset: UInt64(metadataOffset),
                otherValues: timedMetadata.stillValues, videoTrackID: Self.videoTrackID, times: times))
        var offset = metadataOffset + StillImageTimeTrack.sample(otherValues: timedMetadata.stillValues).count
        for track in timedMetadata.tracks {
            tracks.append(
                try track.track(
                    id: UInt32(tracks.count + 1), offset: offset, videoTrackID: Self.videoTrackID, times: times))
            offset += track.samples.reduce(0) { $0 + $1.bytes.count }
        }
        let header = MovieHeaderBox(
            times: times, timescale: UInt32(Self.timescale), duration: tracks.compactMap(\.header.duration).max(),
            nextTrackID: UInt32(tracks.count + 1))
        return MovieBox(header: header, tracks: tracks, metadata: MetadataBox(items: metadata))
    }

    /// The time of a number of ticks.
    static func time(_ ticks: Int32) -> MediaTime {
        MediaTime(value: Int64(ticks), timescale: timescale)
    }

    /// The ticks of a time that is on the grid, at most 2³⁰ of them.
    static func ticks(_ time: MediaTime) throws(MovieWriterError) -> Int32 {
        let onGrid = time.rescaled(to: timescale)
        guard onGrid == time, let ticks = Int32(exactly: onGrid.value), (0...1 << 30).contains(ticks) else {
            throw .timeOffGrid(time)
        }
        return ticks
    }

    static func size(_ sample: [UInt8]) throws(MovieWriterError) -> UInt32 {
        guard let size = UInt32(exactly: sample.count), size > 0 else { throw .sampleSizeOutOfRange(sample.count) }
        return size
    }
}
