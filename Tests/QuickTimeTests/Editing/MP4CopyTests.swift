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

    /// A movie with two tracks of sound.
    ///
    /// - Parameter enabled: which of them are enabled.
    private func movie(enabled: [Bool]) throws -> MovieReader {
        var movie = TestMovie()
        movie.audioPackets = 12
        let file = try TestMovie.changing(movie.write(in: folder), in: folder) { movie in
            guard let index = movie.tracks.firstIndex(where: { $0.media.handler.subtype == "soun" }) else {
                return
            }
            var other = movie.tracks[index]
            other.header.trackID = 40
            movie.tracks.append(other)
            for (place, isEnabled) in zip([index, movie.tracks.count - 1], enabled) where !isEnabled {
                movie.tracks[place].header.flags.remove(.enabled)
            }
        }
        return try MovieReader(file)
    }

    @Test(arguments: [([true, true], 0), ([true, false], 0), ([false, true], 1), ([false, false], 0)])
    func `the sound that players play is kept, and is enabled`(enabled: [Bool], kept: Int) throws {
        let movie = try movie(enabled: enabled)
        let sounds = movie.tracks.filter { $0.kind == .audio }
        try #require(sounds.map(\.isEnabled) == enabled)
        let copied = try tracks(MP4Copy(movie, sound: .keep)).filter { $0.kind == .audio }
        #expect(copied.map(\.id) == [sounds[kept].id] && copied[0].isEnabled)
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
