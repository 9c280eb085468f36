import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import SystemPackage

/// A movie as the writer makes it, of frames that only look like H.264, and the same with fragments.
func movieSamples(in folder: FilePath) throws -> [[UInt8]] {
    let path = folder.appending("written")
    func ticks(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: MovieWriter.timescale) }
    // libx264's extradata for 1920x1080.
    let parameterSets: [UInt8] =
        [0, 0, 1, 0x67, 0x64, 0, 0x28, 0xAC, 0xD9, 0x40, 0x78, 2, 0x27, 0xE5, 0xC0, 0x5A, 0x80, 0x80, 0x80, 0xA0, 0, 0]
        + [3, 0, 0x20, 0, 0, 3, 3, 0xC1, 0xE3, 6, 0x32, 0xC0, 0, 0, 1, 0x68, 0xEA, 0xE1, 0xBC, 0xB0]
    let writer = try MovieWriter(
        to: OutputFile(creating: path),
        video: try VideoFormat(
            .h264, parameterSets: parameterSets.span, size: PixelSize(width: 1920, height: 1080), color: .bt709),
        audio: AudioFormat(sampleRate: 48000, channels: 2, audioSpecificConfig: [0x11, 0x90]))
    for (index, place) in [0, 2, 1, 4, 3].enumerated() {
        let header: UInt8 = index == 0 ? 0x65 : index.isMultiple(of: 2) ? 0x01 : 0x41
        let slice = [0, 0, 0, 1, header] + [UInt8](repeating: 0x88, count: 8)
        let unit = (index == 0 ? parameterSets : []) + slice
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
    return [try fragmented(InputFile(path))]
}

private func fragmented(_ file: InputFile) throws -> [UInt8] {
    let reader = try MovieReader(file)
    var movie = reader.movie
    movie.others.append(
        OpaqueBox(
            type: "mvex",
            payload: bytes { writer in
                writer.box("trex") { for number in [0, 1, 1, 20, 100, 0x10000] as [UInt32] { $0.integer(number) } }
            }))
    return bytes { writer in
        writer.box(movie)
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
}
