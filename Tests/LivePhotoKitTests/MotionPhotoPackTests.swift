import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// The files that `pack --as motion-photo` writes.
@Suite struct MotionPhotoPackTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
    }

    @Test func `a device's movie is an MP4 in a motion photo, without its PCM sound, and with the same pictures`()
        throws
    {
        let (photo, movie) = (root.appending("IMG_0001.HEIC"), root.appending("IMG_0001.MOV"))
        try Data(DevicePair.photo).write(to: URL(fileURLWithPath: photo.string))
        try Data(DevicePair.movie).write(to: URL(fileURLWithPath: movie.string))
        var transfer = PairTransfer()
        let refused = transfer.pack(photo: photo, movie: movie, as: .motionPhoto, to: root)
        #expect("\(refused.state)".contains("--no-audio leaves the sound out"))
        transfer.motionPhoto.sound = .drop
        let outcome = transfer.pack(photo: photo, movie: movie, as: .motionPhoto, to: root)
        #expect(outcome.state == .made)
        let container = try PairContainer(root.appending("IMG_0001.MP.heic"))
        try container.writeMovie(to: root.appending("taken.mp4"))
        let taken = try MovieReader(InputFile(root.appending("taken.mp4")))
        #expect(taken.fileType?.majorBrand == "mp42")
        #expect(!taken.tracks.contains { $0.kind == .audio })
        #expect(try samples(root.appending("taken.mp4"), .video) == samples(movie, .video))
        #expect(try samples(root.appending("taken.mp4"), .metadata) == samples(movie, .metadata))
        #expect(taken.metadata == (try MovieReader(InputFile(movie))).metadata)
        #expect(container.stillTime?.rescaled(to: 600) == (try MovieReader(InputFile(movie)).stillImageTime()?.time))
    }

    private func samples(_ movie: FilePath, _ kind: Track.Kind) throws -> [[UInt8]] {
        let reader = try MovieReader(InputFile(movie))
        let tracks = reader.tracks.filter { $0.kind == kind }
        try #require(!tracks.isEmpty)
        return try tracks.flatMap { track in try track.samples().map { try reader.bytes(of: $0) } }
    }

    @Test func `sound at a rate that is no number is an error`() throws {
        let (photo, movie) = (root.appending("IMG_0001.HEIC"), root.appending("IMG_0001.MOV"))
        var bytes = DevicePair.movie
        let rate = try #require(bytes.firstRange(of: hex("40e5888000000000")))
        bytes.replaceSubrange(rate, with: hex("7ff8000000000000"))
        try Data(DevicePair.photo).write(to: URL(fileURLWithPath: photo.string))
        try Data(bytes).write(to: URL(fileURLWithPath: movie.string))
        let outcome = PairTransfer().pack(photo: photo, movie: movie, as: .motionPhoto, to: root)
        #expect("\(outcome.state)".contains("the movie's sound is"))
    }
}
