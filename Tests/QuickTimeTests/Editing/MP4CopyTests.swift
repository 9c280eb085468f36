import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

/// The tracks of an MP4 for a motion photo.
@Suite struct MP4CopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tracks(_ copy: MP4Copy) throws -> [Track] {
        var bytes: [UInt8] = []
        try copy.pieces().forEach { bytes += $0 }
        return try MovieReader(folder.file(bytes)).tracks
    }

    @Test(arguments: [false, true])
    func `video that takes the place of another begins at its time`(hasEdits: Bool) throws {
        let movie = try MovieReader(TestMovie().write(in: folder))
        let other = try TestMovie.changing(TestMovie().write(in: folder, "other.mov"), in: folder) { movie in
            if !hasEdits { for index in movie.tracks.indices { movie.tracks[index].edit = nil } }
        }
        let reader = try MovieReader(other)
        let start = TestMovie.ticks(120)
        let times = try #require(try reader.tracks.first { $0.kind == .video }?.frameTimes().times)
        let video = try #require(
            try tracks(MP4Copy(movie, sound: .keep, video: .init(reader, start: start))).first { $0.kind == .video })
        #expect(try video.frameTimes().times == times.map { $0 + start })
        #expect(video.box.header.duration.map { $0 >= 120 + 200 } == true)
    }
}
