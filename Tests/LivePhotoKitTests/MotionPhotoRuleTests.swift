import Bytes
import Foundation
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport
import Testing

/// The parts of a motion photo that strict readers take.
struct MotionPhotoSample {
    static let google = "http://ns.google.com/photos/1.0/"
    var head = """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
        <rdf:Description xmlns:GCamera='\(google)camera/' xmlns:Container='\(google)container/'
        xmlns:Item='\(google)container/item/'
        """
    var camera =
        " GCamera:MotionPhoto='1' GCamera:MotionPhotoVersion='1' GCamera:MotionPhotoPresentationTimestampUs='800000'>"
    var items = ["image/jpeg Primary 0", "video/mp4 MotionPhoto "]
    /// Added to the fields of an item.
    var padding: [Int: String] = [:]
    /// Nil for the movie's.
    var length: Int?
    var segments: [UInt8] = []
    var photo: [UInt8]
    var movie: [UInt8]
    /// Between the photo and the movie, and behind that.
    var between: [UInt8] = []
    var behind: [UInt8] = []
    var name = "IMG_1.MP.jpg"

    init() throws {
        let pair = try SamplePair()
        // Without the Exif data, which have the identifier.
        photo = Array(pair.photo[(4 + Int(pair.photo[4]) << 8 + Int(pair.photo[5]))...])
        movie = try Self.mp4.get()
    }

    /// The movie of the sample pair as `pack` puts it into a motion photo.
    private static let mp4 = Result {
        let folder = try TemporaryFolder()
        let pair = try SamplePair()
        try pair.write(below: folder.path)
        let path = folder.path.appending("a.MP.jpg")
        let outcome = PairTransfer().pack(
            photo: folder.path.appending(pair.photoName), movie: folder.path.appending(pair.movieName),
            as: .motionPhoto, to: path)
        try #require(outcome.state == .made)
        try PairContainer(path).writeMovie(to: folder.path.appending("movie"))
        return try InputFile(folder.path.appending("movie")).contents(limit: 1 << 24)
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    var xmp: [UInt8] {
        let list = items.enumerated().map { index, item in
            let fields = item.split(separator: " ")
            let length = fields.count > 2 ? String(fields[2]) : "\(self.length ?? movie.count)"
            return
                "<rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='\(fields[0])' Item:Semantic='\(fields[1])'"
                + " Item:Length='\(length)' \(padding[index].map { "Item:Padding='\($0)'" } ?? "")/></rdf:li>"
        }.joined()
        let directory = "<Container:Directory><rdf:Seq>\(list)</rdf:Seq></Container:Directory>"
        let end = "</rdf:Description></rdf:RDF></x:xmpmeta>"
        return Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(head)\(camera)\(directory)\(end)".utf8))
    }

    var bytes: [UInt8] { [0xFF, 0xD8] + xmp + segments + photo + between + movie + behind }
}

@Suite struct MotionPhotoRuleTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// What the first finding says, or how that begins.
        let message: String
        let rules: [String]
        let breaking: @Sendable (inout MotionPhotoSample) throws -> Void

        init(
            _ rules: String..., message: String,
            _ breaking: @escaping @Sendable (inout MotionPhotoSample) throws -> Void
        ) {
            (self.rules, self.message, self.breaking) = (rules.map { "motion-photo-\($0)" }, message, breaking)
            testDescription = "\(rules.joined(separator: ", ")): \(message)"
        }
    }

    static let cases = [
        Case("xmp", message: "the photo has 2 packets of XMP") { $0.segments = $0.xmp },
        Case("marked", message: "XMP has no MotionPhotoVersion") {
            $0.camera.replace("GCamera:MotionPhotoVersion='1'", with: "")
        },
        Case("marked", message: "MotionPhotoVersion is '2', not 1") {
            $0.camera.replace("Version='1'", with: "Version='2'")
        },
        Case("movie", "length", message: "the description of the movie is wrong: ") {
            $0.length = $0.movie.count - 131
        },
        Case("items", "length", message: "the directory lists 'MotionPhoto', 'Primary'") {
            $0.items.swapAt(0, 1)
        },
        Case("type", message: "the type of the photo is given as 'image/png', not image/jpeg") {
            $0.items[0] = "image/png Primary 0"
        },
        Case("items", message: "the directory lists 'Other', 'Primary', 'MotionPhoto'") {
            $0.items.insert("image/jpeg Other 0", at: 0)
        },
        Case("items", "place", message: "the directory lists 'Primary', 'MotionPhoto', 'MotionPhoto'") {
            $0.items.append("video/mp4 MotionPhoto")
        },
        Case("length", message: "9 bytes follow the movie") {
            $0.length = $0.movie.count + 9
            $0.behind = [UInt8](repeating: 1, count: 9)
        },
        Case("codec", message: "the movie's video is ") {
            $0.movie = $0.movie.replacing(bytes: Array("avc1".utf8), with: Array("mp4v".utf8))
        },
        Case("type", message: "the type of the movie is given as 'video/quicktime', not video/mp4") {
            $0.items[1] = "video/quicktime MotionPhoto"
        },
        Case("type", message: "the movie is a QuickTime movie, not an MP4") { $0.movie = try SamplePair().movie },
        Case("tracks", "type", message: "the movie has 2 video tracks") {
            var pair = try SamplePair()
            try pair.changeMovie { movie in
                var second = movie.tracks[0]
                second.header.trackID = 9
                movie.tracks.append(second)
            }
            $0.movie = pair.movie
        },
        Case("sound", message: "the movie's sound is PCM at 44100 Hz") {
            $0.movie = DevicePair.movie.replacing(bytes: Array("wide".utf8), with: Array("ftyp".utf8))
            $0.camera.replace("800000", with: "900000")
        },
        Case("time", message: "XMP has no MotionPhotoPresentationTimestampUs") {
            $0.camera.replace("GCamera:MotionPhotoPresentationTimestampUs='800000'", with: "")
        },
        Case("time", message: "MotionPhotoPresentationTimestampUs is -1: the still time is unknown") {
            $0.camera.replace("800000", with: "-1")
        },
        Case("time", message: "the still time 9 s is not within the movie, which ends at 2 s") {
            $0.camera.replace("800000", with: "9000000")
        },
        Case("time-on-frame", message: "the still time 0.82 s is between two frames; the nearest is at 0.8 s") {
            $0.camera.replace("800000", with: "820000")
        },
        Case("padding", message: "the photo has a padding of '0'") { $0.padding[0] = "0" },
        Case("padding", message: "MotionPhoto has a padding of '0'") { $0.padding[1] = "0" },
        Case("padding", message: "the photo has a padding of ''") { $0.padding[0] = "" },
        Case("length", message: "the length of the movie is missing or not a number") {
            $0.items[1] = "video/mp4 MotionPhoto +\($0.movie.count)"
        },
        Case("time", message: "MotionPhotoPresentationTimestampUs is '+800000', not a number of microseconds") {
            $0.camera.replace("800000", with: "+800000")
        },
        Case("place", message: "the pictures end at byte ") { $0.between = [0, 0, 0] },
        Case("micro-video", message: "XMP has MicroVideo, MicroVideoOffset") {
            $0.camera = " GCamera:MicroVideo='1' GCamera:MicroVideoOffset='\($0.movie.count)'" + $0.camera
        },
        Case("names", message: "XMP does not declare Item on rdf:Description") {
            let name = "xmlns:Item='\(MotionPhotoSample.google)container/item/'"
            $0.head = $0.head.replacing(name, with: "").replacing("xmlns:x=", with: "\(name) xmlns:x=")
        },
        Case("names", message: "XMP does not declare rdf on rdf:RDF") {
            let name = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
            $0.head = $0.head.replacing(name, with: "").replacing("xmlns:x=", with: "\(name) xmlns:x=")
        },
        Case("identifier", message: "the MakerNote has the content identifier '\(SamplePair.identifier)'") {
            let pair = try SamplePair()
            $0.photo = Array(pair.photo.dropFirst(2))
        },
        Case("pictures", message: "the index of pictures (MPF) leads to something else than a picture") {
            let tiff = hex("4d4d 002a 00000008 0001 b002 0007 00000020 0000001a 00000000")
            let entries = hex("00030000 00000100 00000000 0000 0000") + hex("00000000 00000004 00000005 0000 0000")
            $0.segments = MotionPhotoSample.segment(0xE2, Array("MPF\0".utf8) + tiff + entries)
        },
        Case("name", message: "the file is named IMG_1.jpg") { $0.name = "IMG_1.jpg" },
    ]

    private func report(_ sample: MotionPhotoSample) throws -> MotionPhotoReport {
        let path = temporary.path.appending(sample.name)
        try Data(sample.bytes).write(to: URL(filePath: path.string))
        return try LivePhotoVerifier().verify(motionPhoto: path)
    }

    @Test(arguments: cases) func `a motion photo that breaks a rule is found to break just that`(test: Case) throws {
        var sample = try MotionPhotoSample()
        try test.breaking(&sample)
        let report = try report(sample)
        #expect(Set(report.findings.map(\.rule.id)) == Set(test.rules), "\(report.findings)")
        #expect(report.findings.contains { $0.message.hasPrefix(test.message) }, "\(report.findings)")
        #expect(
            report.isStrict
                == (test.rules.allSatisfy { ["motion-photo-time-on-frame", "motion-photo-name"].contains($0) }))
    }

    @Test func `a directory may list other items, such as a depth map`() throws {
        var sample = try MotionPhotoSample()
        sample.between = hex("ffd8 ffd9")
        sample.items.insert("image/jpeg Depth 4", at: 1)
        let report = try report(sample)
        #expect(report.findings.isEmpty, "\(report.findings)")
    }

    @Test(arguments: [true, false]) func `what a maker's own programs accept is at most a warning`(isOPPO: Bool) throws
    {
        var sample = try MotionPhotoSample()
        sample.length = sample.movie.count - 131
        if isOPPO {
            sample.camera =
                " xmlns:O='http://ns.oplus.com/photos/1.0/camera/' O:MotionPhotoOwner='oplus'" + sample.camera
        }
        let report = try report(sample)
        #expect(report.isGood == isOPPO && !report.isStrict)
        let severity = isOPPO ? Rule.Severity.warning : .error
        #expect(Set(report.findings.filter { $0.rule.id == "motion-photo-length" }.map(\.severity)) == [severity])
        #expect(report.findings.allSatisfy { $0.description.hasPrefix("\($0.severity): ") })
    }

    @Test func `a motion photo that strict readers take breaks no rule, with a gain map too`() throws {
        var sample = try MotionPhotoSample()
        let report = try report(sample)
        #expect(report.findings.isEmpty && report.isStrict, "\(report.findings)")
        #expect(report.stillTime?.seconds == 0.8)
        sample.between = hex("ffd8 ffd9")
        sample.items.insert("image/jpeg GainMap 4", at: 1)
        #expect(try self.report(sample).findings.isEmpty)
    }

    @Test func `a HEIC is one that most phones show as a still photo`() throws {
        let (photo, movie) = (temporary.path.appending("IMG_1.HEIC"), temporary.path.appending("IMG_1.MOV"))
        try Data(DevicePair.photo).write(to: URL(filePath: photo.string))
        try Data(DevicePair.movie).write(to: URL(filePath: movie.string))
        var transfer = PairTransfer()
        transfer.motionPhoto.sound = .drop
        let outcome = transfer.pack(photo: photo, movie: movie, as: .motionPhoto, to: temporary.path)
        let path = try #require(outcome.container)
        let report = try LivePhotoVerifier().verify(motionPhoto: path)
        #expect(report.findings.map(\.rule.id) == ["motion-photo-jpeg"])
        #expect(report.isGood && !report.isStrict)
        #expect(report.contentIdentifier == DevicePair.contentIdentifier)
    }

    @Test func `each rule for motion photos has a file that breaks it`() {
        let known = Set(Self.cases.flatMap(\.rules)).union(["motion-photo-jpeg"])
        #expect(known == Set(Rule.all.map(\.id).filter { $0.hasPrefix("motion-photo-") }))
    }

    @Test func `what is no motion photo is told what it lacks, or is an error`() throws {
        let pair = try SamplePair()
        try pair.write(below: temporary.path)
        let report = try LivePhotoVerifier().verify(motionPhoto: temporary.path.appending(pair.photoName))
        #expect(report.findings.contains { $0.message == "no movie was found in the file" } && !report.isGood)
        let error = #expect(throws: LivePhotoError.self) {
            try LivePhotoVerifier().verify(motionPhoto: temporary.path.appending(pair.movieName))
        }
        #expect(error?.code == .unusableMedia)
    }
}
