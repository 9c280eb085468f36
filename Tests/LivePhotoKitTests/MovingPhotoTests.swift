import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// Moving photos of Huawei and Honor: a JPEG, an MP4 and three texts.
@Suite struct MovingPhotoTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// Three texts of 20 bytes.
    private static func texts(_ version: String, _ live: String) -> [UInt8] {
        [version, "0:0", live].flatMap { Array($0.padding(toLength: 20, withPad: " ", startingAt: 0).utf8) }
    }

    private static func file(_ frame: Int, live: String? = nil) throws -> [UInt8] {
        let pair = try SamplePair()
        return pair.photo + pair.movie + texts("v3_f\(frame)", live ?? "LIVE_\(pair.movie.count + 20)")
    }

    private func path(_ bytes: [UInt8], _ name: String = "IMG_1.jpg") throws -> FilePath {
        let path = temporary.path.appending(name)
        try Data(bytes).write(to: URL(filePath: path.string))
        return path
    }

    private func contents(_ name: String) throws -> [UInt8] {
        try InputFile(temporary.path.appending(name)).contents(limit: 1 << 24)
    }

    @Test(arguments: [0, 3, 7]) func `the frame in the texts is the still time, and both files come out as they were`(
        frame: Int
    ) throws {
        let pair = try SamplePair()
        let container = try PairContainer(path(Self.file(frame)))
        let moments = try MovieMoments(of: path(pair.movie, "movie.mov"))
        #expect(container.kind == .huawei && container.stillTime == moments.frames[frame])
        try container.writeMovie(to: temporary.path.appending("movie"))
        try container.writePhoto(to: temporary.path.appending("photo"))
        #expect(try contents("movie") == pair.movie)
        #expect(try contents("photo") == pair.photo)
    }

    @Test func `a frame that the movie does not have is no still time`() throws {
        #expect(try PairContainer(path(Self.file(99_999))).stillTime == nil)
    }

    @Test func `what a phone of Huawei wrote is at most a warning`() throws {
        let report = try LivePhotoVerifier().verify(motionPhoto: path(Self.file(3)))
        #expect(report.isGood && report.stillTime != nil, "\(report.findings)")
    }

    @Test(arguments: [
        "LIVE_0", "LIVE_20", "LIVE_999999999999999", "LIVE_99999999999999999", "LIVE_", "LIVE_-5", "live_9",
    ])
    func `texts that lead nowhere do not hide the movie`(live: String) throws {
        let pair = try SamplePair()
        let container = try PairContainer(path(Self.file(3, live: live)))
        try container.writeMovie(to: temporary.path.appending("movie"))
        #expect(try contents("movie") == pair.movie)
    }

    @Test func `any damage to the texts is an error or a movie`() throws {
        let file = try Self.file(3)
        for place in file.count - 60..<file.count {
            for value in [0, 0x20, 0x39, 0x66, 0xFF] as [UInt8] {
                var damaged = file
                damaged[place] = value
                if let container = try? PairContainer(path(damaged)) { #expect(container.movieName == "IMG_1.mp4") }
            }
        }
    }

    @Test func `one file cannot end as phones of Samsung and of Huawei expect it`() throws {
        let pair = try SamplePair()
        var transfer = PairTransfer()
        transfer.motionPhoto = MotionPhotoOptions(sound: .drop)
        transfer.motionPhoto.phones = [.samsung, .huawei]
        let outcome = transfer.pack(
            photo: try path(pair.photo, "a.jpg"), movie: try path(pair.movie, "a.mov"), as: .motionPhoto,
            to: temporary.path.appending("a.MP.jpg"))
        guard case .failed(let error) = outcome.state else {
            Issue.record("\(outcome.state)")
            return
        }
        #expect("\(error)".contains("at the same time"))
    }

    @Test(arguments: [[.huawei], [.honor], [.huawei, .honor, .oppo]] as [Set<MotionPhotoOptions.Phone>])
    func `packed for these phones, a Live Photo has the texts and strict readers find the movie`(
        phones: Set<MotionPhotoOptions.Phone>
    ) throws {
        let pair = try SamplePair()
        let (photo, movie) = (try path(pair.photo, "a.jpg"), try path(pair.movie, "a.mov"))
        let pairFiles = try LivePhotoLinker().link(
            photo: photo, movie: movie, to: .directory(temporary.path.appending("live"), replacesExisting: false)
        ).livePhoto
        let linked = pairFiles.movie
        var transfer = PairTransfer()
        transfer.motionPhoto = MotionPhotoOptions(sound: .drop)
        transfer.motionPhoto.phones = phones
        let packed = temporary.path.appending("a.MP.jpg")
        let outcome = transfer.pack(photo: pairFiles.photo, movie: linked, as: .motionPhoto, to: packed)
        #expect(outcome.state == .made)
        let moments = try MovieMoments(of: linked)
        let still = try #require(moments.still)
        let frame = try #require(moments.frames.firstIndex(of: still))
        let bytes = try contents("a.MP.jpg")
        let container = try PairContainer(packed)
        #expect(container.kind == .huawei && abs((container.stillTime ?? .zero).seconds - still.seconds) < 0.000_01)
        try container.writeMovie(to: temporary.path.appending("movie"))
        // With the header of the box around the texts.
        let count = try contents("movie").count + 8
        #expect(Array(bytes.suffix(60)) == Self.texts("v3_f\(frame)", "LIVE_\(count + 20)"))
        let report = try LivePhotoVerifier().verify(motionPhoto: packed)
        #expect(!report.findings.contains { $0.rule.id == "motion-photo-length" || $0.severity == .error })
        try container.writePhoto(to: temporary.path.appending("photo"))
        #expect(try contents("photo").firstRange(of: Array("LIVE_".utf8)) == nil)
    }
}
