import LivePhotoKit
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct RuleTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// Looks at no pictures.
    private func finding(similarity: Double) -> LivePhotoVerifier.PictureComparison {
        { _, _, _ throws(LivePhotoError) in similarity }
    }

    @Test(arguments: RuleCase.all) func `a pair that breaks one rule is found to break just that`(
        test: RuleCase
    ) async throws {
        var pair = try SamplePair()
        if test.profile == .wallpaper { try pair.makeLockScreen() }
        if test.profile == .modern { try pair.makeModern() }
        try test.breaking(&pair)
        try pair.write(below: temporary.path)
        var verifier = LivePhotoVerifier(profile: test.profile)
        verifier.measureSteadiness = { [steadiness = test.steadiness] _, _ throws(LivePhotoError) in steadiness }
        let compare = finding(similarity: test.similarity)
        let report = try await verifier.verify(below: [temporary.path], comparing: compare, width: 1)
        let findings = report.pairs.flatMap(\.findings) + report.files.map(\.finding)
        #expect(findings.map(\.rule.id) == [test.rule], "\(findings)")
        let message = findings.first?.message.replacing("\(temporary.path)/", with: "")
        #expect(message?.hasPrefix(test.message) == true, "\(message ?? "nothing")")
        #expect(report.isGood == (findings.first?.rule.severity != .error))
        #expect(report.unreadable.isEmpty && report.ordinaryFiles == 0)
        // Both files named say the same as their folder.
        if let found = report.pairs.first {
            #expect(try await verifier.verify(photo: found.photo, movie: found.movie, comparing: compare) == found)
        }
    }

    @Test func `files without an extension are said to have none`() throws {
        var pair = try SamplePair()
        (pair.photoName, pair.movieName) = ("photo", "movie")
        try pair.write(below: temporary.path)
        let report = try LivePhotoVerifier().verify(
            photo: temporary.path.appending("photo"), movie: temporary.path.appending("movie"))
        let messages = report.findings.map(\.message).filter { $0.contains("extension") }
        #expect(messages == ["the photo is a JPEG and has no extension", "the movie has no extension, not .MOV"])
    }

    @Test func `each rule has a pair that breaks it`() {
        let ids = Rule.all.map(\.id).filter { !$0.hasPrefix("motion-photo-") }
        #expect(Set(RuleCase.all.map(\.rule)) == Set(ids))
    }

    @Test func `each rule has a name of its own, small words with hyphens, and says what it is in sentences`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        for rule in Rule.all {
            #expect(rule.id.wholeMatch(of: /[a-z]+(-[a-z]+)+/) != nil, "\(rule.id)")
            for text in [rule.requirement, rule.effect, rule.remedy] {
                #expect(text.first?.isUppercase == true && text.hasSuffix("."), "\(rule.id): \(text)")
                // Else it would break the table of the catalogue.
                #expect(!text.contains { $0 == "|" || $0.isNewline }, "\(rule.id): \(text)")
            }
            #expect(!rule.profiles.isEmpty, "\(rule.id)")
        }
    }

    /// What a good pair may be, beside what `SamplePair` is.
    static let good: [(name: String, profiles: [Profile], change: @Sendable (inout SamplePair) throws -> Void)] = [
        ("as it is", [.any, .classic], { _ in }),
        ("of constant records", [.any, .wallpaper], { try $0.makeLockScreen { _ in LivePhotoInfo(stillAt: 0) } }),
        ("with a live-photo-info track", [.any, .wallpaper], { try $0.makeLockScreen() }),
        (
            "with records of a camera", [.any, .wallpaper],
            { try $0.makeLockScreen { _ in try LivePhotoInfo(hex(SamplePair.completeRecord)) } }
        ),
        (
            "without motion in frames that the lock screen does not use", [.any, .wallpaper],
            { pair in
                try pair.makeLockScreen { number in
                    var record = SamplePair.record(of: number)
                    if !(18...31).contains(number) { record.validMotion = [.time] }
                    return record
                }
            }
        ),
        (
            "a photo that is stored turned", [.any, .classic],
            { pair in
                pair.photo = try SamplePair.jpeg(size: SamplePair.size.transposed, orientation: .rotated90Clockwise)
            }
        ),
        (
            "a photo that is larger and rounded", [.any, .classic],
            { pair in
                pair.photo = try SamplePair.jpeg(size: PixelSize(width: 4031, height: 2268))
            }
        ),
        ("HEVC at 30 frames a second", [.any, .modern], { try $0.makeModern() }),
        ("HEVC of 10 bits", [.any], { try $0.changeMovie { try $0.tracks[0].makeHEVC(bitDepth: 10) } }),
        ("the still at the first frame", [.any, .classic], { try $0.changeMovie { $0.tracks[1].setStill(ticks: 0) } }),
        (
            "the still at the last frame", [.any, .classic],
            { try $0.changeMovie { $0.tracks[1].setStill(ticks: 1160) } }
        ),
        ("names in small letters", [.any, .classic], { ($0.photoName, $0.movieName) = ("a.jpeg", "a.mov") }),
    ]

    @Test(arguments: good.indices) func `a good pair is found to be good`(index: Int) async throws {
        let (name, profiles, change) = Self.good[index]
        var pair = try SamplePair()
        try change(&pair)
        try pair.write(below: temporary.path)
        for profile in profiles {
            let report = try await LivePhotoVerifier(profile: profile).verify(
                photo: temporary.path.appending(pair.photoName), movie: temporary.path.appending(pair.movieName),
                comparing: finding(similarity: 0.4))
            #expect(report.findings.isEmpty && report.isGood, "\(name), \(profile): \(report.findings)")
            #expect(report.contentIdentifier == SamplePair.identifier)
        }
    }

    @Test func `one folder by two names is one folder`() throws {
        let pair = try SamplePair()
        try pair.write(below: temporary.path.appending("a"))
        let report = try LivePhotoVerifier().verify(
            photo: temporary.path.appending("a/IMG_1.JPG"), movie: temporary.path.appending("a/../a/IMG_1.MOV"))
        #expect(report.findings.isEmpty)
    }

    @Test func `of a movie that several rules are about, each says what it finds`() throws {
        var pair = try SamplePair()
        try pair.changeMovie { movie in
            movie.metadata = nil
            movie.tracks.removeLast()
        }
        pair.photoName = "IMG_1.HEIC"
        try pair.write(below: temporary.path)
        let report = try LivePhotoVerifier().verify(
            photo: temporary.path.appending("IMG_1.HEIC"), movie: temporary.path.appending("IMG_1.MOV"))
        #expect(report.findings.map(\.rule.id) == ["photo-extension", "movie-identifier", "still-time-present"])
        #expect(!report.isGood && report.stillTime == nil && report.contentIdentifier == SamplePair.identifier)
    }

    @Test func `a verifier may be given a part of the rules`() throws {
        try SamplePair().write(below: temporary.path)
        var verifier = LivePhotoVerifier(profile: .wallpaper)
        verifier.rules = verifier.rules.filter { $0.id == "movie-extension" }
        let report = try verifier.verify(
            photo: temporary.path.appending("IMG_1.JPG"), movie: temporary.path.appending("IMG_1.MOV"))
        #expect(report.findings.isEmpty)
    }

    @Test(arguments: ["IMG_1.JPG", "IMG_1.MOV"]) func `a half that is not there, or is a folder, is an error`(
        name: String
    ) throws {
        var pair = try SamplePair()
        if name == pair.photoName { pair.photoName = "" } else { pair.movieName = "" }
        try pair.write(below: temporary.path)
        let (photo, movie) = (temporary.path.appending("IMG_1.JPG"), temporary.path.appending("IMG_1.MOV"))
        var error = #expect(throws: LivePhotoError.self) {
            _ = try LivePhotoVerifier().verify(photo: photo, movie: movie)
        }
        #expect(error?.code == .noInput && error?.file == temporary.path.appending(name))
        try makeDirectory(temporary.path.appending(name))
        error = #expect(throws: LivePhotoError.self) { _ = try LivePhotoVerifier().verify(photo: photo, movie: movie) }
        #expect(error?.code == .unusableMedia && error?.file == temporary.path.appending(name))
    }
}
