import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport

/// Movies as the writer makes them, of frames that only look like H.264.
struct TestMovie {
    /// libx264's extradata for 1920x1080 High at level 4.0, its SEI before the parameter sets.
    static let parameterSets = hex(
        """
        000001 0605ff 04 'x264' 80
        00000001 67640028acd940780227e5c05a808080a0000003002000000303c1e30632c0
        000001 68eae1bcb0
        """)
    static let identifier = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"

    /// In decode order: the place in the order of presentation.
    var order = [0, 2, 1, 4, 3]
    var frameTicks: Int64 = 40
    var stillFrame: Int64 = 2
    var audioPackets = 0
    var metadata = [MetadataItem(key: .contentIdentifier, value: .text(FileText(TestMovie.identifier)))]

    static func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 600) }

    /// An access unit: a delimiter, parameter sets before a key frame, a slice of `size` bytes.
    static func accessUnit(isKey: Bool, isReference: Bool = true, size: Int = 20, seed: UInt8 = 0) -> [UInt8] {
        let header: UInt8 = isKey ? 0x65 : isReference ? 0x41 : 0x01
        let slice = [header] + (1..<size).map { UInt8(truncatingIfNeeded: $0) &* 7 &+ seed | 0x80 }
        return hex("00000001 09f0") + (isKey ? parameterSets : []) + [0, 0, 0, 1] + slice
    }

    static func videoFormat(width: Int = 1920, height: Int = 1080) throws -> VideoFormat {
        try VideoFormat(
            .h264, parameterSets: parameterSets.span, size: PixelSize(width: width, height: height), color: .bt709)
    }

    static let audioFormat = AudioFormat(sampleRate: 48000, channels: 2, audioSpecificConfig: [0x11, 0x90])

    /// The times of the finished movie: audio is heard from the third frame on.
    var timing: MovieTiming {
        let duration = Int64(order.count) * frameTicks
        let edit = AudioEdit(
            delay: Self.ticks(2 * frameTicks), firstSample: 1024, duration: Self.ticks(duration - 2 * frameTicks))
        return MovieTiming(
            duration: Self.ticks(duration), stillTime: Self.ticks(stillFrame * frameTicks),
            audio: audioPackets > 0 ? edit : nil)
    }

    /// Writes it and opens it.
    func write(in folder: TemporaryFolder, _ name: String = "movie.mov") throws -> InputFile {
        let path = folder.path.appending(name)
        let writer = try MovieWriter(
            to: OutputFile(creating: path), video: Self.videoFormat(),
            audio: audioPackets > 0 ? Self.audioFormat : nil)
        var packets = (0..<audioPackets).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 10 + $0 % 3) }
        for (index, place) in order.enumerated() {
            let isDisposable = index > 0 && place < order[index - 1]
            let unit = Self.accessUnit(
                isKey: index == 0, isReference: !isDisposable, seed: UInt8(truncatingIfNeeded: index))
            try writer.appendVideo(annexB: unit.span, presentationTime: Self.ticks(Int64(place) * frameTicks))
            for packet in packets.prefix(3) { try writer.appendAudio(packet) }
            packets.removeFirst(min(3, packets.count))
        }
        for packet in packets { try writer.appendAudio(packet) }
        try writer.finish(timing, metadata: metadata)
        return try InputFile(path)
    }

    /// The same file with a changed `moov`.
    static func changing(
        _ file: InputFile, in folder: TemporaryFolder, _ change: (inout MovieBox) -> Void
    ) throws -> InputFile {
        let reader = try MovieReader(file)
        var movie = reader.movie
        change(&movie)
        var writer = ByteWriter()
        for place in reader.boxes {
            if place.type == MovieBox.type {
                writer.box(movie)
            } else {
                writer.append(try file.bytes(at: place.offset, count: place.range.count))
            }
        }
        return try folder.file(writer.bytes)
    }
}
