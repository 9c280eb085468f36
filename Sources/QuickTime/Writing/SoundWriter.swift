package import Bytes
import ISOBMFF

/// Writes a QuickTime movie that holds nothing but AAC, from which `MP4Copy` takes the track.
package final class SoundWriter {
    private let file: OutputFile
    private let mediaDataStart: Int
    private var audio: AudioTrackBuilder

    /// Begins the movie.
    ///
    /// - Parameter file: new and empty.
    /// - Throws: `MovieWriterError` for a format that a movie cannot hold; `Errno` of write(2).
    package init(to file: OutputFile, _ format: AudioFormat) throws {
        self.file = file
        audio = try AudioTrackBuilder(format)
        let fileType = OpaqueBox(writing: FileTypeBox.quickTime).bytes
        mediaDataStart = fileType.count
        try file.write(fileType + MediaDataHeader.placeholder)
    }

    /// Adds the next packet of AAC, without an ADTS header.
    ///
    /// - Throws: `MovieWriterError`; `Errno` of write(2).
    package func append(_ packet: [UInt8]) throws {
        audio.add(at: file.position, size: try MovieWriter.size(packet))
        try file.write(packet)
    }

    /// Writes `moov` and closes the file.
    ///
    /// - Throws: `MovieWriterError`; `Errno` of write(2).
    package func finish(_ edit: AudioEdit) throws {
        let track = try audio.track(id: 1, edit: edit, times: .unknown)
        let header = MovieHeaderBox(
            times: .unknown, timescale: UInt32(MovieWriter.timescale), duration: track.header.duration, nextTrackID: 2)
        let payloadSize = file.position - mediaDataStart - MediaDataHeader.placeholder.count
        let movie = MovieBox(header: header, tracks: [track], metadata: MetadataBox(items: []))
        try file.write(OpaqueBox(writing: movie).bytes)
        let patch = MediaDataHeader.patch(payloadSize: payloadSize)
        try file.overwrite(at: mediaDataStart + patch.offset, with: patch.bytes)
        try file.close()
    }
}
