import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage
import TestSupport

/// libx264's extradata for 1920x1080.
let sampleParameterSets: [UInt8] =
    [0, 0, 1, 0x67, 0x64, 0, 0x28, 0xAC, 0xD9, 0x40, 0x78, 2, 0x27, 0xE5, 0xC0, 0x5A, 0x80, 0x80, 0x80, 0xA0, 0, 0]
    + [3, 0, 0x20, 0, 0, 3, 3, 0xC1, 0xE3, 6, 0x32, 0xC0, 0, 0, 1, 0x68, 0xEA, 0xE1, 0xBC, 0xB0]

/// A movie as the writer makes it, of frames that only look like H.264, and the same with fragments.
func movieSamples() throws -> [[UInt8]] { [try writtenMovie(), try fragmentedMovie() + sampleFragment] }

private func writtenMovie() throws -> [UInt8] {
    let path = scratchPath([], place: 2)
    func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: MovieWriter.timescale) }
    let output = OutputFile(try FileDescriptor.open(path, .writeOnly), path: path)
    let writer = try MovieWriter(
        to: output,
        video: try VideoFormat(
            .h264, parameterSets: sampleParameterSets.span, size: PixelSize(width: 1920, height: 1080), color: .bt709),
        audio: AudioFormat(sampleRate: 48000, channels: 2, audioSpecificConfig: [0x11, 0x90]))
    for (index, place) in [0, 2, 1, 4, 3].enumerated() {
        let header: UInt8 = index == 0 ? 0x65 : index.isMultiple(of: 2) ? 0x01 : 0x41
        let slice = [0, 0, 0, 1, header] + [UInt8](repeating: 0x88, count: 8)
        let unit = (index == 0 ? sampleParameterSets : []) + slice
        try writer.appendVideo(annexB: unit.span, presentationTime: ticks(Int64(place) * 40))
        for _ in 0..<3 { try writer.appendAudio([UInt8](repeating: 0x21, count: 6)) }
    }
    try writer.finish(
        MovieTiming(
            duration: ticks(200), stillTime: ticks(80),
            audio: AudioEdit(delay: ticks(80), firstSample: 1024, duration: ticks(120))),
        metadata: [
            MetadataItem(key: .contentIdentifier, value: .text("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"))
        ])
    try output.flush()
    return try InputFile(path).contents(limit: 1 << 20)
}

/// The description of a movie that announces fragments.
func fragmentedMovie() throws -> [UInt8] {
    var movie = try MovieReader(scratchFile(writtenMovie(), place: 3)).movie
    movie.others.append(
        OpaqueBox(
            type: "mvex",
            payload: bytes { writer in
                writer.box("trex") { for number in [0, 1, 1, 20, 100, 0x10000] as [UInt32] { $0.integer(number) } }
            }))
    return bytes { $0.box(movie) }
}

let sampleFragment = bytes { writer in
    writer.box("moof") { writer in
        writer.box("mfhd") { $0.append([0, 0, 0, 0, 0, 0, 0, 1]) }
        writer.box("traf") { writer in
            writer.box("tfhd") { for number in [0x20000, 1] as [UInt32] { $0.integer(number) } }
            writer.box("tfdt") { for number in [0, 40] as [UInt32] { $0.integer(number) } }
            writer.box("trun") {
                for number in [0x305, 2, 0x80, 0, 10, 1, 5, 2] as [UInt32] { $0.integer(number) }
            }
        }
    }
    writer.box("mdat") { $0.zeros(300) }
}

/// The descriptions and first samples of the tracks of timed metadata in a movie of this program and one of an iPhone.
func timedMetadataSamples() throws -> [[UInt8]] {
    try (movieSamples().prefix(1) + [DevicePair.movie]).flatMap { movie in
        let reader = try MovieReader(scratchFile(movie, place: 3))
        return try reader.tracks.filter { $0.kind == .metadata }.map { track in
            let entry = track.box.media.information.sampleTable.descriptions.entries.first?.payload ?? []
            let sample = try track.samples().first { _ in true }.map { try reader.bytes(of: $0) } ?? []
            return [UInt8(entry.count >> 8 & 0xFF), UInt8(entry.count & 0xFF)] + entry + sample
        }
    }
}

/// A movie with one track, of timed metadata with one sample.
///
/// - Parameter description: the content of the sample entry.
func metadataMovie(description: [UInt8], sample: [UInt8]) -> [UInt8] {
    let media = bytes { writer in writer.box("mdat") { $0.append(sample) } }
    return media
        + bytes { writer in
            writer.box("moov") { writer in
                writer.box("mvhd") { writer in
                    for number in [0, 0, 0, 600, 600, 0x10000, 0x1000000, 0, 0] as [UInt32] { writer.integer(number) }
                    identityMatrix(&writer)
                    writer.zeros(24)
                    writer.integer(UInt32(2))
                }
                writer.box("trak") { writer in
                    writer.box("tkhd") { writer in
                        for number in [1, 0, 0, 1, 0, 600, 0, 0, 0, 0] as [UInt32] { writer.integer(number) }
                        identityMatrix(&writer)
                        writer.zeros(8)
                    }
                    writer.box("mdia") { metadataMedia(&$0, description, sampleSize: sample.count) }
                }
            }
        }
}

private func metadataMedia(_ writer: inout ByteWriter, _ description: [UInt8], sampleSize: Int) {
    writer.box("mdhd") { for number in [0, 0, 0, 600, 600, 0] as [UInt32] { $0.integer(number) } }
    writer.box("hdlr") {
        $0.zeros(8)
        $0.text("meta")
        $0.zeros(13)
    }
    writer.box("minf") { writer in
        writer.box("stbl") { writer in
            writer.box("stsd") { writer in
                for number in [0, 1] as [UInt32] { writer.integer(number) }
                writer.box("mebx") { $0.append(description) }
            }
            writer.box("stts") { for number in [0, 1, 1, 600] as [UInt32] { $0.integer(number) } }
            writer.box("stsc") { for number in [0, 1, 1, 1, 1] as [UInt32] { $0.integer(number) } }
            writer.box("stsz") { for number in [0, UInt32(sampleSize), 1] { $0.integer(number) } }
            writer.box("stco") { for number in [0, 1, 8] as [UInt32] { $0.integer(number) } }
        }
    }
}

private func identityMatrix(_ writer: inout ByteWriter) {
    for number in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] as [UInt32] { writer.integer(number) }
}
