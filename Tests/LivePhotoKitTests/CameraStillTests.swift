import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Pairs whose camera wrote a still time between two frames, as iPhone 6s and 7 Plus do.
@Suite struct CameraStillTests {
    private let temporary: TemporaryFolder
    private var root: FilePath { temporary.path }
    private var photo: FilePath { root.appending("IMG_1.JPG") }
    private var movie: FilePath { root.appending("IMG_1.MOV") }
    /// Frames are at multiples of 40.
    private static let ticks: [UInt64] = [815, 801, 839]

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func write(_ ticks: UInt64) throws {
        var pair = try SamplePair()
        try pair.changeMovie { $0.tracks[1].setStill(ticks: ticks) }
        try pair.write(below: root)
    }

    private func stillTicks(_ movie: FilePath) throws -> Int64? {
        let time = try #require(try MovieReader(InputFile(movie)).stillImageTime()?.time)
        let ticks = time.rescaled(to: 600)
        return ticks == time ? ticks.value : nil
    }

    @Test(arguments: ticks) func `it is a note, not a warning`(ticks: UInt64) throws {
        try write(ticks)
        let report = try LivePhotoVerifier().verify(photo: photo, movie: movie)
        #expect(report.isGood && !report.findings.contains { $0.rule.severity != .note })
    }

    @Test(arguments: ticks, [true, false]) func `linking keeps it exactly`(ticks: UInt64, inPlace: Bool) throws {
        try write(ticks)
        let out = root.appending("out")
        let result = try LivePhotoLinker().link(
            photo: photo, movie: movie, to: inPlace ? .inPlace : .directory(out, replacesExisting: false))
        #expect(try stillTicks(result.livePhoto.movie) == Int64(ticks))
        #expect(result.stillTime == MediaTime(value: Int64(ticks), timescale: 600))
    }

    /// What is changed, and by how much the movie begins later.
    private static let edits: [(change: @Sendable (inout LivePhotoEdits) -> Void, later: Int64)] = [
        ({ $0.removesSound = true }, 0), ({ $0.captureDate = CaptureDate(iso8601: "2024-05-06T07:08:09Z") }, 0),
        ({ $0.end = MediaTime(value: 1000, timescale: 600) }, 0),
        ({ $0.start = MediaTime(value: 400, timescale: 600) }, 400),
        ({ $0.identity = .set(ContentIdentifier()) }, 0),
    ]

    @Test(arguments: edits.indices) func `an edit that does not set it keeps it exactly`(index: Int) throws {
        try write(815)
        var edits = LivePhotoEdits()
        Self.edits[index].change(&edits)
        let out = root.appending("out")
        let result = try LivePhotoEditor().edit(
            edits, photo: photo, movie: movie, to: .directory(out, replacesExisting: false))
        #expect(!result.plan.movesStill)
        #expect(try stillTicks(result.livePhoto.movie) == 815 - Self.edits[index].later)
    }

    @Test(arguments: [(800, 800), (816, 800), (815, 815), (830, 840)])
    func `another time that is requested is that of a frame`(requested: Int64, ticks: Int64) throws {
        try write(815)
        var edits = LivePhotoEdits()
        edits.stillTime = MediaTime(value: requested, timescale: 600)
        let out = root.appending("out")
        let result = try LivePhotoEditor().edit(
            edits, photo: photo, movie: movie, to: .directory(out, replacesExisting: false))
        #expect(try stillTicks(result.livePhoto.movie) == ticks)
    }

    @Test(arguments: ticks, PairContainer.Format.allCases)
    func `packing and extracting give the same tick`(ticks: UInt64, format: PairContainer.Format) async throws {
        try write(ticks)
        let packed = root.appending("packed.\(format == .motionPhoto ? "jpg" : format.rawValue)")
        let outcome = PairTransfer().pack(photo: photo, movie: movie, as: format, to: packed)
        #expect(outcome.state == .made)
        var outcomes: [PairTransfer.Outcome] = []
        try await PairTransfer().extract([packed], to: root.appending("out")) { outcomes.append($0) }
        let extracted = try #require(outcomes.first?.movie)
        #expect(try stillTicks(extracted) == Int64(ticks))
    }
}
