import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

@Suite struct InspectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        let path = folder.path.appending(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
        return path
    }

    private func movie(_ bytes: [UInt8]) throws -> MovieInspection {
        let inspection = try LivePhotoInspector().inspect(file(bytes, "movie.mov"))
        guard case .movie(let movie) = inspection else { throw Unexpected(inspection: inspection) }
        return movie
    }

    private func photo(_ bytes: [UInt8]) throws -> PhotoInspection {
        let inspection = try LivePhotoInspector().inspect(file(bytes, "photo.heic"))
        guard case .photo(let photo) = inspection else { throw Unexpected(inspection: inspection) }
        return photo
    }

    private struct Unexpected: Error { let inspection: Inspection }

    /// JSON as the golden texts have it: in lines that can be compared.
    private func json(_ inspection: Inspection) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(inspection), as: UTF8.self)
            .replacing(folder.path.string + "/", with: "").replacing("[{", with: "[\n{").replacing("},{", with: "},\n{")
            .replacing("],\"", with: "],\n\"").replacing(",\"video\":{", with: ",\n\"video\":{")
    }

    @Test func `all that a device's movie says is told`() throws {
        let path = try file(DevicePair.movie, "IMG_0001.MOV")
        #expect(try json(LivePhotoInspector().inspect(path)) == GoldenInspection.movie)
    }

    @Test func `all that a device's photo says is told`() throws {
        let path = try file(DevicePair.photo, "IMG_0001.HEIC")
        #expect(try json(LivePhotoInspector().inspect(path)) == GoldenInspection.photo)
    }

    @Test func `the still's time goes through the edit list, and its frame is the one shown then`() throws {
        let still = try #require(try movie(DevicePair.movie).still)
        #expect(still.time == 0.9)
        #expect(still.frame == 27)
        #expect(still.track == 5)
        #expect(still.value == "ff")
        // The empty edit of 540 ticks made one of 100, or a real one.
        let sooner = DevicePair.movie.replacing(bytes: hex("0000021c ffffffff"), with: hex("00000064 ffffffff"))
        #expect(try movie(sooner).still?.time == 100.0 / 600)
        #expect(try movie(sooner).still?.frame == 5)
        let real = DevicePair.movie.replacing(bytes: hex("0000021c ffffffff"), with: hex("0000021c 00000000"))
        #expect(try movie(real).still?.time == 0)
        let beyond = DevicePair.movie.replacing(bytes: hex("0000021c ffffffff"), with: hex("00000348 ffffffff"))
        #expect(try movie(beyond).still?.time == 1.4)
        #expect(try movie(beyond).still?.frame == nil)
    }

    @Test func `boxes are listed with their places and what they say`() throws {
        let lines = try LivePhotoInspector().boxes(of: file(DevicePair.movie, "IMG_0001.MOV"))
        #expect(lines.count == 183)
        for line in GoldenInspection.boxes.split(separator: "\n") { #expect(lines.contains(String(line)), "\(line)") }
        let photo = try LivePhotoInspector().boxes(of: file(DevicePair.photo, "IMG_0001.HEIC"))
        for line in GoldenInspection.photoBoxes.split(separator: "\n") {
            #expect(photo.contains(String(line)), "\(line)")
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let bytes: [UInt8]

        init(_ name: String, _ reason: String, _ bytes: [UInt8]) {
            (testDescription, self.reason, self.bytes) = (name, reason, bytes)
        }
    }

    private static let device = DevicePair.movie

    @Test(arguments: [
        Refusal("nothing", "is empty (0 bytes)", []),
        Refusal(
            "a text", "is not a photo (JPEG, HEIC, AVIF), movie (MOV, MP4) or bundle (.livp, .pvt)",
            Array("A Live Photo is two files.\n".utf8)),
        Refusal("no moov", "expected a box of type moov", Array(device.prefix(1181))),
        Refusal("half of moov", "moov is cut off at byte 1181", Array(device.prefix(4000))),
        Refusal("no mvhd", "mvhd", device.replacing(bytes: hex("'mvhd'"), with: hex("'free'"))),
        Refusal(
            "no ticks in a second", "expected a timescale of at least 1",
            device.replacing(bytes: hex("00000258 00000348 00010000"), with: hex("00000000 00000348 00010000"))),
        Refusal("the start of a JPEG", "is cut off", hex("ffd8ffe0")),
        Refusal("the start of a ZIP archive", "expected a directory at its end", hex("'PK' 0304")),
    ])
    func `what is no movie is refused with the reason`(_ refusal: Refusal) throws {
        let path = try file(refusal.bytes, "movie.mov")
        let error = #expect(throws: LivePhotoError.self) { try LivePhotoInspector().inspect(path) }
        #expect(error?.code == .unusableMedia)
        #expect(error?.file == path)
        #expect(error?.reason.contains(refusal.reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `what is not there is said not to be`() throws {
        let error = #expect(throws: LivePhotoError.self) {
            try LivePhotoInspector().inspect(folder.path.appending("nothing.mov"))
        }
        #expect(error?.code == .noInput)
    }

    @Test func `what ffmpeg -c copy leaves of timed metadata is a problem, each track`() throws {
        let stripped = DevicePair.movie.replacing(bytes: hex("'mhlrmeta'"), with: hex("'mhlrurl '"))
            .replacing(bytes: hex("'mebx'"), with: hex("'stts'"))
        let movie = try movie(stripped)
        #expect(movie.still == nil)
        #expect(movie.problems == [3, 4, 5].map { "track \($0) is timed metadata without its sample description" })
        #expect(movie.tracks.map(\.kind) == ["video", "audio", "url ", "url ", "url "])
    }

    @Test func `a track that cannot be read costs the others nothing`() throws {
        // The second track's `mdhd` is the only one of 44,100 ticks a second.
        let sound = hex("'mdhd' 00000000 b6a11eda b6a11eda 0000ac44")
        let movie = try movie(DevicePair.movie.replacing(bytes: sound, with: hex("'free'") + sound.dropFirst(4)))
        #expect(movie.tracks.map(\.id) == [1, 3, 4, 5])
        #expect(movie.still?.frame == 27)
        #expect(movie.problems.count == 1 && movie.problems[0].contains("expected a box of type mdhd"))
    }

    @Test(
        arguments: [
            ("'stsz' 00000000 00000006 0000002a", "'stsz' 00000000 00000006 0000002b", "track 1"),
            ("'stts' 00000000 00000001 0000002a", "'stts' 00000000 00000001 0000002b", nil),
            ("'hvcC' 01016000", "'free' 01016000", nil),
            ("00000165 'keys'", "00000010 'keys'", nil),
        ] as [(String, String, String?)])
    func `damage within a track is told, and the rest is read`(from: String, to: String, problem: String?) throws {
        let movie = try movie(DevicePair.movie.replacing(bytes: hex(from), with: hex(to)))
        #expect(movie.tracks.count == 5)
        #expect(movie.contentIdentifier == DevicePair.contentIdentifier)
        #expect(problem == nil || movie.problems.contains { $0.contains(problem ?? "") }, "\(movie.problems)")
    }

    @Test func `a fragmented movie says no duration before it is known`() throws {
        let unknown = DevicePair.movie
            .replacing(bytes: hex("00000258 00000348 00010000 0100"), with: hex("00000258 00000000 00010000 0100"))
        #expect(try movie(unknown).duration == 0)
        let fragmented = try movie(
            unknown.addingToMovieBox(
                hex("00000028 'mvex' 00000020 'trex' 00000000 00000001 00000001 00000014 00000006 00000000")))
        #expect(fragmented.isFragmented)
        #expect(fragmented.duration == nil)
        #expect(fragmented.tracks[0].duration == 1.4)
    }

    @Test func `user data of MP4 are among the metadata`() throws {
        let userData = hex(
            """
            00000075 'udta'
              0000000f 'name' 'ignored'
              00000014 'auth' '0123456789ab'
              00000013 a9'nam'
                0007 55c4 'A beach'
              00000037 'meta' 00000000
                0000002b 'ilst'
                  00000023 a9'too'
                    0000001b 'data' 00000001 00000000
                      'Lavf59.27.1'
            """)
        let metadata = try movie(DevicePair.movie.addingToMovieBox(userData)).metadata.suffix(2)
        #expect(metadata.map(\.name) == ["udta:©nam", "mdir:©too"])
        #expect(metadata.map(\.value) == ["A beach", "Lavf59.27.1"])
        #expect(metadata.map(\.type) == ["UTF-8", "UTF-8"])
    }

    @Test func `numbers that are none still make JSON`() throws {
        let notANumber = hex("7ff8000000000000")
        let strange = DevicePair.movie.replacing(bytes: hex("40e5888000000000"), with: notANumber)
        #expect(try movie(strange).tracks[1].audio?.sampleRate == nil)
        #expect(try json(.movie(movie(strange))).contains("\"audio\":{\"channels\":1}"))
        let aperture = hex("000006d0 00000001 0000051c 00000001")
        let noAperture = hex("000006d0 00000000 0000051c 00000000")
        #expect(try movie(DevicePair.movie.replacing(bytes: aperture, with: noAperture)).tracks[0].video != nil)
    }

    @Test func `a file cut off anywhere is read or refused in words`() throws {
        for (whole, name) in [(DevicePair.movie, "IMG_0001.MOV"), (DevicePair.photo, "IMG_0001.HEIC")] {
            for count in stride(from: 0, to: whole.count, by: 97) {
                let path = try file(Array(whole.prefix(count)), name)
                do {
                    _ = try json(LivePhotoInspector().inspect(path))
                } catch let error as LivePhotoError {
                    #expect(error.code == .unusableMedia && error.file == path, "\(count) bytes: \(error)")
                }
                do {
                    _ = try LivePhotoInspector().boxes(of: path)
                } catch {
                    #expect(error.code == .unusableMedia && error.file == path, "\(count) bytes: \(error)")
                }
            }
        }
    }

    @Test func `a photo without Apple's note says why it has no identifier`() throws {
        let photo = try photo(DevicePair.photo.replacing(bytes: hex("927c 0007"), with: hex("9286 0007")))
        #expect(photo.contentIdentifier == nil)
        #expect(photo.contentIdentifierProblem == "the photo has Exif data without a MakerNote")
        #expect(photo.fields.allSatisfy { $0.directory != "Apple" })
    }
}
