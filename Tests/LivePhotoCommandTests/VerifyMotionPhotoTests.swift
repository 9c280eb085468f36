import Foundation
import TestSupport
import Testing

/// `verify` of folders and lists that have motion photos in them.
@Suite struct VerifyMotionPhotoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        var pair = try SamplePair()
        (pair.photoName, pair.movieName) = ("IMG_1.JPG", "IMG_1.MOV")
        try pair.write(below: folder.path)
        try #require(run("pack IMG_1.JPG --as motion-photo --keep-id -o kept.MP.jpg").status == 0)
        try #require(run("pack IMG_1.JPG --as motion-photo -o all/PXL_1.MP.jpg").status == 0)
    }

    private func run(_ line: String) throws -> Outcome {
        try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
    }

    private func copy(_ name: String, _ copy: String, cutting count: Int = 0, adding bytes: [UInt8] = []) throws {
        let data = try Data(contentsOf: folder.url.appendingPathComponent(name)).dropLast(count) + Data(bytes)
        try data.write(to: folder.url.appendingPathComponent(copy))
    }

    /// The kind, the names and the verdict of each line of JSON, sorted.
    private func lines(_ outcome: Outcome) throws -> [String] {
        struct Line: Decodable {
            var kind: String
            var files: [String]
            var ok: Bool
        }
        return try outcome.output.split(separator: "\n").map { text in
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            return ([line.kind] + line.files + [line.ok ? "ok" : "wrong"]).joined(separator: " ")
        }.sorted()
    }

    @Test func `a folder's motion photos are checked as well as its pairs, each file once`() throws {
        // A good one is there, one that not all programs accept, one whose movie is cut off, a pair, a pair with a movie
        // from Takeout, and photos: a plain one, and one with other data behind it.
        try copy("IMG_1.JPG", "all/IMG_1.JPG")
        try copy("IMG_1.MOV", "all/IMG_1.MOV")
        try copy("kept.MP.jpg", "all/kept.MP.jpg")
        try copy("all/PXL_1.MP.jpg", "all/cut.MP.jpg", cutting: 100)
        try Data(MotionPhotos.plain).write(to: folder.url.appendingPathComponent("all/plain.jpg"))
        try Data(MotionPhotos.plain + Array("vendor".utf8)).write(
            to: folder.url.appendingPathComponent("all/vendor.jpg"))
        // XMP that cannot be read describes no movie.
        try Data(MotionPhotos.plain.replacing(bytes: Array("</C:Directory>".utf8), with: Array("</C:Directions".utf8)))
            .write(to: folder.url.appendingPathComponent("all/xmp.jpg"))
        let outcome = try run("verify all --json")
        #expect(outcome.status == 1)
        #expect(
            try lines(outcome) == [
                "files all/IMG_1.JPG all/kept.MP.jpg ok", "motion-photo all/PXL_1.MP.jpg ok",
                "motion-photo all/cut.MP.jpg wrong", "motion-photo all/kept.MP.jpg ok",
                "pair all/IMG_1.JPG all/IMG_1.MOV ok",
            ], "\(outcome.output)")
        let text = try run("verify all")
        #expect(
            text.output.hasSuffix(
                "1 pair: 1 good, 3 other files without an identifier; "
                    + "3 motion photos: 1 good, 1 with warnings or notes, 1 with errors\n"), "\(text.output)")
        #expect(text.output.contains("all/cut.MP.jpg\n") && !text.output.contains("all/PXL_1.MP.jpg"))
    }

    @Test func `a photo with a movie in Samsung's trailer alone is a motion photo`() throws {
        try Data(MotionPhotos.samsungWithoutXMP).write(to: folder.url.appendingPathComponent("all/20250912_134510.jpg"))
        for arguments in ["all", "all/20250912_134510.jpg all/PXL_1.MP.jpg"] {
            #expect(
                try lines(run("verify \(arguments) --json")).contains {
                    $0.hasPrefix("motion-photo all/20250912_134510.jpg")
                })
        }
    }

    @Test func `the movies of Takeout's motion photos are movies of pairs`() throws {
        try copy("IMG_1.MOV", "all/PXL_2.MP")
        try copy("IMG_1.JPG", "all/PXL_2.MP.jpg")
        #expect(
            try lines(run("verify all --json")) == [
                "motion-photo all/PXL_1.MP.jpg ok", "pair all/PXL_2.MP.jpg all/PXL_2.MP ok",
            ])
    }

    @Test func `several photos are each checked as a motion photo, as one of a pair, or as neither`() throws {
        try Data(MotionPhotos.plain).write(to: folder.url.appendingPathComponent("plain.jpg"))
        let outcome = try run("verify all/PXL_1.MP.jpg IMG_1.JPG plain.jpg --json")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "error: plain.jpg: there is no movie of the same name beside it; give both files\n",
            "\(outcome.errors)")
        #expect(
            try lines(outcome) == [
                "motion-photo all/PXL_1.MP.jpg ok", "pair IMG_1.JPG IMG_1.MOV ok", "unpaired plain.jpg wrong",
            ])
        #expect(try run("verify IMG_1.JPG all/PXL_1.MP.jpg").status == 0)
        // The file of another pair's movie is given: these are the two files of one pair.
        #expect(try lines(run("verify kept.MP.jpg IMG_1.MOV --json")) == ["pair kept.MP.jpg IMG_1.MOV ok"])
    }
}
