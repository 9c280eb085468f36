import Bytes
import Foundation
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// A pair as an iPhone 6s writes it: its still time is between two frames, and its edit list ends within the last sample.
@Suite struct CameraStillTests {
    private let folder: TemporaryFolder
    /// In ticks of 1/600 s; frames are 40 apart.
    private static let (stillTicks, endTicks): (UInt64, UInt64) = (914, 1785)

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
        var pair = try SamplePair()
        (pair.photoName, pair.movieName) = ("", "beach.MOV")
        pair.movie = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("beach.MOV")))
        try pair.changeMovie { movie in
            let last = movie.tracks.count - 1
            movie.tracks[last].edit?.list?.entries[0].duration = Self.stillTicks
            movie.tracks[last].header.duration = Self.stillTicks + 1
            let entries = movie.tracks[0].media.information.sampleTable.timeToSample.entries
            var (others, end) = (entries[0], entries[0])
            others.count -= 1
            (end.count, end.duration) = (1, 500)
            movie.tracks[0].media.information.sampleTable.timeToSample.entries = [others, end]
            movie.tracks[0].edit?.list?.entries[0].duration = Self.endTicks
        }
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("beach.MOV"))
        try pair.write(below: folder.path)
    }

    private func reader(_ path: String) throws -> MovieReader { try MovieReader(InputFile(FilePath(path))) }

    /// Options, and the still time and the end that follow, in ticks.
    @Test(
        arguments: [
            (["--exposure", "1"], 914, 1785), (["--exposure", "1", "--start", "0.5"], 614, 1485),
            (["--speed", "2"], 457, 892), (["--new-key-photo"], 914, 1785),
            (["--exposure", "1", "--still", "1"], 600, 1785),
        ] as [([String], Int64, Int64)])
    func `an encoded edit keeps the still time, and the end of the last picture`(
        options: [String], still: Int64, end: Int64
    ) throws {
        let report = try Report(
            try Program.livephoto(["edit", folder.path("beach.JPG"), "-o", folder.path("out"), "--json"] + options))
        let movie = try reader(report.movie)
        func ticks(_ time: MediaTime?) -> Int64? { time?.rescaled(to: 600).value }
        #expect(try ticks(movie.stillImageTime()?.time) == still)
        let frames = try #require(movie.tracks.first { $0.kind == .video }).frameTimes()
        #expect(abs((ticks(frames.end) ?? 0) - end) <= 1)
    }

    @Test func `what is exported and shown on a page ends there too, and passes its check`() throws {
        let export = try Program.livephoto(
            "export", folder.path("beach.JPG"), "--as", "mp4", "-o", folder.path("beach.mp4"))
        #expect(export.status == 0, "\(export.errors)")
        let frames = try #require(reader(folder.path("beach.mp4")).tracks.first { $0.kind == .video }).frameTimes()
        #expect(frames.end == MediaTime(value: Int64(Self.endTicks), timescale: 600))
        let preview = try Program.livephoto("preview", folder.path("beach.JPG"), "-o", folder.path("page.html"))
        #expect(preview.status == 0, "\(preview.errors)")
    }
}
