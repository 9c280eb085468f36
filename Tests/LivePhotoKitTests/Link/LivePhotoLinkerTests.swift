import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct LivePhotoLinkerTests {
    private let temporary: TemporaryFolder
    private let photo: FilePath
    private let movie: FilePath

    init() throws {
        temporary = try TemporaryFolder()
        let pair = try SamplePair()
        try pair.write(below: temporary.path)
        photo = temporary.path.appending(pair.photoName)
        movie = temporary.path.appending(pair.movieName)
    }

    private func samples(_ movie: FilePath) throws -> [[UInt8]] {
        let reader = try MovieReader(InputFile(movie))
        return try reader.tracks.filter { $0.kind == .video }.flatMap { track in
            try track.samples().map { try reader.bytes(of: $0) }
        }
    }

    @Test func `two files that carry one identifier are a Live Photo`() throws {
        let livePhoto = try LivePhoto(photo: photo, movie: movie)
        #expect(livePhoto.contentIdentifier.string == SamplePair.identifier)
        let other = try LivePhotoLinker().link(
            photo: photo, movie: movie, contentIdentifier: ContentIdentifier(),
            to: .directory(temporary.path.appending("other"), replacesExisting: false))
        #expect { try LivePhoto(photo: photo, movie: other.livePhoto.movie) } throws: { error in
            (error as? LivePhotoError)?.reason.contains("content identifier") == true
        }
    }

    @Test func `in place, a pair is parted and linked again with the same media`() throws {
        let before = try samples(movie)
        let linker = LivePhotoLinker()
        try linker.unlink(photo: photo, movie: movie, to: .inPlace)
        #expect(throws: LivePhotoError.self) { try LivePhoto(photo: photo, movie: movie) }
        #expect(try samples(movie) == before)
        let identifier = try #require(ContentIdentifier(SamplePair.identifier))
        let time = MediaTime(value: SamplePair.stillTime, timescale: 600)
        let linked = try linker.link(
            photo: photo, movie: movie, stillTime: time, contentIdentifier: identifier, to: .inPlace)
        #expect(linked.livePhoto == LivePhoto(photo: photo, movie: movie, contentIdentifier: identifier))
        #expect(linked.stillTime == time)
        #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).findings.isEmpty)
        #expect(try samples(movie) == before)
    }

    @Test(arguments: [0, 2]) func `a photo whose file ends before its picture does is linked with a warning`(
        missing: Int
    ) throws {
        let bytes = try InputFile(photo).contents(limit: 1 << 20)
        try Data(bytes.dropLast(missing)).write(to: URL(fileURLWithPath: photo.string))
        let linker = LivePhotoLinker()
        let plan = try linker.plan(
            photo: photo, movie: movie, name: "planned", to: .directory(temporary.path, replacesExisting: false))
        let linked = try linker.link(
            photo: photo, movie: movie, to: .directory(temporary.path.appending("out"), replacesExisting: false))
        let warnings = missing == 0 ? [] : ["the photo's file ends before its picture does; look for another copy"]
        #expect(plan.warnings == warnings && linked.warnings == warnings)
    }

    @Test func `a photo with a movie of its own is linked to another one with a warning`() throws {
        let sample = try MotionPhotoSample()
        let motionPhoto = temporary.path.appending(sample.name)
        try Data(sample.bytes).write(to: URL(fileURLWithPath: motionPhoto.string))
        let linked = try LivePhotoLinker().link(
            photo: motionPhoto, movie: movie, to: .directory(temporary.path.appending("out"), replacesExisting: false))
        #expect(
            linked.warnings == [
                "the photo keeps a movie of its own, which some galleries play instead of the linked one"
            ])
    }

    @Test func `a photo that is a link stays one: in place, the file that it leads to is asked for`() throws {
        let link = temporary.path.appending("link.JPG")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "IMG_1.JPG")
        let before = try temporary.files
        for body in [
            { _ = try LivePhotoLinker().link(photo: link, movie: movie, to: .inPlace) },
            { try LivePhotoLinker().unlink(photo: link, movie: movie, to: .inPlace) },
        ] {
            let error = #expect(throws: LivePhotoError.self, performing: body)
            #expect(error?.code == .invalidRequest && error?.reason.hasPrefix("is a link to \(photo);") == true)
        }
        #expect(try temporary.files == before)
        #expect(try Stat(link, followTargetSymlink: false).type == .symbolicLink)
    }

    @Test(arguments: [(nil, 20), (0.0, 0), (0.72, 11), (99, 29)] as [(Double?, Int64)])
    func `the still is on a frame: the one that is told, or the nearest`(seconds: Double?, frame: Int64) throws {
        let wish = seconds.map { MediaTime(value: Int64($0 * 1000), timescale: 1000) }
        let linked = try LivePhotoLinker().link(
            photo: photo, movie: movie, stillTime: wish,
            to: .directory(temporary.path.appending("out"), replacesExisting: false))
        #expect(linked.stillTime == MediaTime(value: frame * SamplePair.frameTicks, timescale: 600))
        // The identifier that both have is kept.
        #expect(linked.livePhoto.contentIdentifier.string == SamplePair.identifier)
    }

    @Test(arguments: [true, false])
    func `files of two pairs are joined only if that is asked for`(isInPlace: Bool) throws {
        try SamplePair.write("other.MOV", identifier: 7, below: temporary.path)
        let other = temporary.path.appending("other.MOV")
        let out = temporary.path.appending("out")
        let destination: LivePhotoLinker.Destination =
            isInPlace ? .inPlace : .directory(out, replacesExisting: true)
        let before = try temporary.files
        let error = #expect(throws: LivePhotoError.self) {
            try LivePhotoLinker().link(photo: photo, movie: other, to: destination)
        }
        #expect(error?.code == .differentPairs && error?.file == photo)
        #expect(try temporary.files == before)
        var linker = LivePhotoLinker()
        linker.acceptsDifferentPairs = true
        let joined = try linker.link(photo: photo, movie: other, to: destination).livePhoto
        #expect(try LivePhoto(photo: joined.photo, movie: joined.movie) == joined)
        #expect(joined.contentIdentifier.string != SamplePair.identifier)
    }
}
