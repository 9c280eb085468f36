import Bytes
import Foundation
import ISOBMFF
import LivePhotoKit
import MediaModel
import StillImage
import SystemPackage
import TestSupport
import Testing

/// Motion photos with the mistakes of cameras and of programs that copy photos.
@Suite struct FoundMovieTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func file(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        let path = temporary.path.appending(name)
        try Data(bytes).write(to: URL(filePath: path.string))
        return path
    }

    /// A photo in which the movie is found as it is, and what the container is called.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: PairContainer.Kind
        var seconds: Double?
        let bytes: @Sendable (_ movie: [UInt8]) throws -> [UInt8]
    }

    /// A sample photo with XMP in Google's name spaces.
    private static func photo(_ camera: String, _ items: String = "") throws -> [UInt8] {
        let list = items.isEmpty ? "" : "<C:Directory><r:Seq>\(items)</r:Seq></C:Directory>"
        let xmp = Array(
            """
            http://ns.adobe.com/xap/1.0/\u{0}<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
            xmlns:G='http://ns.google.com/photos/1.0/camera/' xmlns:C='http://ns.google.com/photos/1.0/container/'
            xmlns:I='http://ns.google.com/photos/1.0/container/item/'><r:Description \(camera)>\(list)</r:Description></r:RDF>
            """.utf8)
        let photo = try SamplePair().photo
        return photo.prefix(2) + [0xFF, 0xE1, UInt8((xmp.count + 2) >> 8), UInt8((xmp.count + 2) & 0xFF)] + xmp
            + photo.dropFirst(2)
    }

    private static func item(_ semantic: String, _ fields: String) -> String {
        "<r:li r:parseType='Resource'><C:Item I:Mime='x/y' I:Semantic='\(semantic)' \(fields)/></r:li>"
    }

    private static let google =
        "G:MotionPhoto='1' G:MotionPhotoVersion='1' G:MotionPhotoPresentationTimestampUs='800000'"

    private static func motionPhoto(_ fields: String) throws -> [UInt8] {
        try photo(google, item("Primary", "") + item("MotionPhoto", fields))
    }

    private static func samsung(_ movie: [UInt8], dataSize: Int? = nil) -> [UInt8] {
        let record = hex("0000 300a 10000000 'MotionPhoto_Data'") + movie
        let size = dataSize ?? record.count
        return record + hex("'SEFH' 6b000000 01000000 0000 300a") + little(record.count, 4) + little(size, 4)
            + little(24, 4) + hex("'SEFT'")
    }

    private static func heic(_ content: [UInt8], type: String = "mpvd", size: Int? = nil) -> [UInt8] {
        let size = size ?? content.count + 8
        return DevicePair.photo + little(size, 4).reversed() + Array(type.utf8) + content
    }

    private static let gainMap = hex("ffd8 ffd9")
    private static let vendorData = Array("vivo{\"version\":1}".utf8) + [UInt8](repeating: 0x5A, count: 114)

    private static let cases = [
        Case(testDescription: "OPPO's length, 131 bytes short", kind: .motionPhoto, seconds: 0.8) {
            try motionPhoto("I:Length='\($0.count - 131)'") + $0
        },
        Case(testDescription: "131 bytes of a vendor behind the movie", kind: .motionPhoto, seconds: 0.8) {
            try motionPhoto("I:Length='\($0.count)'") + $0 + vendorData
        },
        Case(testDescription: "a length that includes the vendor's data", kind: .motionPhoto, seconds: 0.8) {
            try motionPhoto("I:Length='\($0.count + vendorData.count)'") + $0 + vendorData
        },
        Case(testDescription: "Samsung's padding on the movie", kind: .motionPhoto, seconds: 0.8) {
            try motionPhoto("I:Length='\($0.count)' I:Padding='67'") + $0
        },
        Case(testDescription: "Samsung without XMP", kind: .samsung) { try SamplePair().photo + samsung($0) },
        Case(testDescription: "Samsung with a record that is too short", kind: .samsung) {
            try SamplePair().photo + samsung($0, dataSize: $0.count / 2)
        },
        Case(testDescription: "Samsung's directory cut off, without XMP", kind: .undescribed) {
            try SamplePair().photo + samsung($0).dropLast(4)
        },
        Case(testDescription: "only the movie behind the photo", kind: .undescribed) { try SamplePair().photo + $0 },
        Case(testDescription: "a motion photo without a directory", kind: .motionPhoto, seconds: 0.8) {
            try photo(google) + $0
        },
        Case(testDescription: "MicroVideo", kind: .microVideo, seconds: 0.8) {
            try photo(
                "G:MicroVideo='1' G:MicroVideoOffset='\($0.count)' G:MicroVideoPresentationTimestampUs='800000'") + $0
        },
        Case(testDescription: "MicroVideo of an edited file", kind: .microVideo) {
            try photo("G:MicroVideo='1' G:MicroVideoOffset='\($0.count + 9)'") + $0
        },
        Case(testDescription: "MicroVideo that is right beside a directory that is wrong", kind: .microVideo) {
            try photo(
                "G:MotionPhoto='1' G:MicroVideo='1' G:MicroVideoOffset='\($0.count)'",
                item("Primary", "") + item("MotionPhoto", "I:Length='5'")) + $0
        },
        Case(testDescription: "a gain map between photo and movie", kind: .motionPhoto, seconds: 0.8) {
            try photo(
                google,
                item("Primary", "") + item("GainMap", "I:Length='4'") + item("MotionPhoto", "I:Length='\($0.count)'"))
                + gainMap + $0
        },
        Case(testDescription: "a gain map listed behind the movie", kind: .motionPhoto, seconds: 0.8) {
            try photo(
                google,
                item("Primary", "") + item("MotionPhoto", "I:Length='\($0.count)'") + item("GainMap", "I:Length='4'"))
                + gainMap + $0
        },
        Case(testDescription: "HEIC", kind: .motionPhoto) { heic($0) },
        Case(testDescription: "HEIC, a box of no size", kind: .motionPhoto) { heic($0, size: 0) },
        Case(testDescription: "HEIC, a box that is too short", kind: .motionPhoto) { heic($0, size: $0.count / 2) },
        Case(testDescription: "HEIC, a box that is too long", kind: .undescribed) { heic($0, size: $0.count + 99) },
        Case(testDescription: "HEIC, bytes before the movie", kind: .motionPhoto) { heic([0, 0, 0, 0, 1] + $0) },
        Case(testDescription: "HEIC, boxes behind the movie", kind: .motionPhoto) {
            heic($0) + hex("0000000c 'free' 00000000") + hex("00000008 'sefd'")
        },
        Case(testDescription: "HEIC, no box around the movie", kind: .undescribed) { DevicePair.photo + $0 },
        Case(testDescription: "HEIC, the movie in another box", kind: .undescribed) {
            heic([UInt8](repeating: 7, count: 16) + $0, type: "uuid") + [1, 2, 3]
        },
    ]

    @Test(arguments: cases) func `a movie is found even if the file describes it wrongly`(test: Case) throws {
        let movie = try SamplePair().movie
        let isJPEG = try test.bytes(movie).first == 0xFF
        let path = try file(test.bytes(movie), isJPEG ? "IMG_1.jpg" : "IMG_1.heic")
        let container = try PairContainer(path)
        #expect(container.kind == test.kind)
        #expect(container.stillTime?.seconds == test.seconds)
        try container.writeMovie(to: temporary.path.appending("movie"))
        let found = try InputFile(temporary.path.appending("movie")).contents(limit: 1 << 24)
        // Boxes behind the movie count as a part of it.
        #expect(found.starts(with: movie) && found.count <= movie.count + 20)
    }

    @Test(arguments: sampled(cases, every: 2))
    func `the photo and the movie become a Live Photo, or nothing is written`(
        test: Case
    ) async throws {
        let bytes = try test.bytes(SamplePair().movie)
        let path = try file(bytes, "IMG_1.\(bytes.first == 0xFF ? "jpg" : "heic")")
        var states: [PairTransfer.Outcome] = []
        let output = temporary.path.appending("out")
        try await PairTransfer().extract([path], to: output) { states.append($0) }
        let outcome = try #require(states.first)
        guard outcome.state == .made, let photo = outcome.photo, let movie = outcome.movie else {
            Issue.record("\(outcome.state)")
            return
        }
        #expect(try LivePhotoVerifier().verify(photo: photo, movie: movie).isGood)
        let rest = try InputFile(photo).contents(limit: 1 << 24)
        #expect(rest.firstRange(of: Array("mpvd".utf8)) == nil && rest.count < bytes.count)
        // The movie is no longer in the photo.
        #expect(throws: LivePhotoError.self) { try PairContainer(photo) }
    }

    private static let noMovies: [(String, String, @Sendable ([UInt8]) throws -> [UInt8])] = [
        (
            "a movie that is cut off", "cannot be read: ",
            { try motionPhoto("I:Length='\($0.count)'") + $0.dropLast(9) }
        ),
        (
            "a cut movie that nothing describes", "is a photo without a movie in it",
            { try SamplePair().photo + $0.dropLast(9) }
        ),
        (
            "a movie without its media", "has a movie in it that cannot be played: ",
            {
                let media = try #require($0.firstRange(of: Array("mdat".utf8)))
                var movie = $0
                movie.replaceSubrange(media, with: Array("ftyp".utf8))
                return try motionPhoto("I:Length='\($0.count)'") + movie
            }
        ),
        (
            "text that names a movie", "is a photo without a movie in it",
            { _ in
                try SamplePair().photo + [UInt8](repeating: 0x20, count: 64)
                    + Array("\0\0\0\u{18}ftypmp42 is no movie".utf8)
            }
        ),
    ]

    @Test(arguments: noMovies.indices) func `what is no movie is not taken for one, and a sentence says so`(
        index: Int
    ) throws {
        let (name, reason, bytes) = Self.noMovies[index]
        let path = try file(bytes(SamplePair().movie), "IMG_1.jpg")
        let error = #expect(throws: LivePhotoError.self, "\(name)") { try PairContainer(path) }
        #expect(
            error?.code == .unusableMedia && error?.reason.hasPrefix(reason) == true, "\(name): \(error?.reason ?? "")")
    }

    @Test func `a photo whose movie is beside it says how to link them, unless they are linked`() throws {
        for (pair, end) in [
            (try SamplePair.plain.get(), ".jpg \(temporary.path)/IMG_1.mp4 --in-place"),
            (try SamplePair(), "/IMG_1.mp4 are a Live Photo of two files already"),
        ] {
            let photo = try file(pair.photo, "IMG_1.jpg")
            _ = try file(pair.movie, "IMG_1.mp4")
            let error = #expect(throws: LivePhotoError.self) { try PairContainer(photo) }
            #expect(error?.reason.hasSuffix(end) == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `bytes made to waste time are read in no time`() throws {
        let beginnings = [UInt8](repeatElement(hex("00000014 'ftypmp42' 00000000 'isom'"), count: 100_000).joined())
        let boxes = [UInt8](repeatElement(hex("00000008 'free'"), count: 200_000).joined())
        for tail in [beginnings, hex("00000010 'ftypmp42' 00000000") + boxes] {
            let path = try file(Self.photo(Self.google) + tail, "IMG_1.jpg")
            let start = ContinuousClock.now
            #expect(throws: LivePhotoError.self) { try PairContainer(path) }
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test(.seeded) func `a file with some bytes changed or missing is read or refused`() throws {
        let movie = try SamplePair().movie
        let described = try Self.motionPhoto("I:Length='\(movie.count)'") + Self.samsung(movie)
        var generator = SeededGenerator()
        for number in 0..<60 {
            var bytes = described
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            guard let container = try? PairContainer(file(bytes, "IMG_1.jpg")) else { continue }
            let target = temporary.path.appending("movie\(number)")
            try container.writeMovie(to: target)
            #expect(try InputFile(target).bytes(at: 4, count: 4) == Array("ftyp".utf8))
        }
    }
}
