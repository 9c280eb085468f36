import Foundation
import TestSupport
import Testing

/// What `preview` writes. Tests/Browser uses the pages in a browser.
@Suite struct PreviewTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
    }

    private func run(_ line: String) throws -> Outcome {
        try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
    }

    /// The data block of a page, decoded.
    private func block(_ id: String, of page: String) throws -> Data {
        let start = try #require(page.range(of: ";base64\" id=\"\(id)\">"))
        let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
        return try #require(Data(base64Encoded: String(page[start.upperBound..<end.lowerBound])))
    }

    @Test func `the page embeds both files bit for bit and loads nothing from elsewhere`() throws {
        let outcome = try run("preview beach.JPG --output page.html")
        #expect(outcome.status == 0 && outcome.output == "page.html\n" && outcome.errors.isEmpty)
        let page = try folder.text("page.html")
        #expect(try block("photo-0", of: page) == Data(contentsOf: folder.url.appending(path: "beach.JPG")))
        #expect(try block("movie-0", of: page) == Data(contentsOf: folder.url.appending(path: "beach.MOV")))
        #expect(page.contains("default-src 'none'; img-src blob:; style-src 'sha256-"))
        for word in ["http:", "https:", "<link", "@import", "url("] { #expect(!page.contains(word), "\(word)") }
        for fact in ["photo 320x180, ", "movie 320x180, 3.0 s, H.264", "still at "] {
            #expect(page.contains(fact), "\(fact)")
        }
    }

    @Test func `motion photos, archives and bundles are shown like pairs, also in folders`() throws {
        for format in ["livp", "pvt", "pvt.zip"] {
            let packed = try run("pack beach.JPG --as \(format) --output Packed/\(format)/")
            try #require(packed.status == 0, "\(packed.errors)")
        }
        let outcome = try run("preview Packed PXL_1.MP.jpg beach.JPG --json --output page.html")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let lines = try outcome.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["status"] as? String } == Array(repeating: "shown", count: 5))
        #expect(lines.allSatisfy { $0["photoCopy"] as? Bool == false && $0["movieCopy"] as? Bool == false })
        let page = try folder.text("page.html")
        let photo = try Data(contentsOf: folder.url.appending(path: "beach.JPG"))
        for number in 0..<3 { #expect(try block("photo-\(number)", of: page) == photo) }
    }

    @Test func `with --link, the page refers to the files`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "a b"), withIntermediateDirectories: true)
        let outcome = try run("preview beach.JPG --link --output page.html")
        #expect(outcome.status == 0)
        let page = try folder.text("page.html")
        #expect(page.contains("photo=\"beach.JPG\" movie=\"beach.MOV\"") && !page.contains(";base64\""))
        let other = try Program.livephoto(
            ["preview", "beach.JPG", "--link", "--output", "a b/page.html"], in: folder.url)
        #expect(other.status == 0)
        #expect(try folder.text("a b/page.html").contains("photo=\"../beach.JPG\" movie=\"../beach.MOV\""))
    }

    @Test func `a pair that cannot be shown is a card with the reason, and the status is 1`() throws {
        let library = folder.url.appending(path: "Library")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        for name in ["beach.JPG", "beach.MOV"] {
            try FileManager.default.copyItem(
                at: folder.url.appending(path: name), to: library.appending(path: name))
        }
        try FileManager.default.copyItem(
            at: folder.url.appending(path: "beach.JPG"), to: library.appending(path: "broken.JPG"))
        try Data("no movie".utf8).write(to: library.appending(path: "broken.MOV"))
        let outcome = try run("preview Library --output page.html")
        #expect(outcome.status == 1 && outcome.output == "page.html\n")
        #expect(outcome.errors.contains("broken.MOV: is not a movie that can be read"))
        #expect(outcome.errors.contains("1 of 2 Live Photos cannot be shown"))
        let page = try folder.text("page.html")
        #expect(page.contains("<p class=\"gone\"><bdi>is not a movie") && page.contains("<b><bdi>broken.JPG</bdi></b>"))
        // Alone, it is an error without a page.
        let alone = try run("preview Library/broken.JPG --output alone.html")
        #expect(try alone.status == 65 && !folder.names.contains("alone.html"))
        let plan = try run("preview Library --dry-run")
        #expect(plan.status == 1 && plan.output == "beach.JPG: photo embedded, movie embedded\n")
        #expect(try !folder.names.contains("preview.html"))
    }

    @Test func `the player is printed as it is in pages`() throws {
        let outcome = try run("preview --player")
        #expect(outcome.status == 0 && outcome.output.contains("customElements.define(\"live-photo\""))
        #expect(try run("preview beach.JPG").status == 0)
        #expect(try folder.text("preview.html").contains("<script type=\"module\" async>\(outcome.output)</script>"))
    }

    @Test(arguments: [
        ("preview", 64, "give Live Photos or folders, or --player"),
        ("preview --player beach.JPG", 64, "--player prints the player alone"),
        ("preview beach.JPG --output beach.MOV", 64, "is not the name of a page, which ends in .html"),
        ("preview beach.JPG --output there.html", 73, "there.html: already exists"),
        ("preview gone.JPG", 66, "gone.JPG: no such file"),
        ("preview Empty", 66, "Empty: contains no Live Photo"),
        ("preview beach.JPG --output no/page.html", 73, "no/page.html"),
    ])
    func `what cannot be done is an error that leaves nothing`(line: String, status: Int32, reason: String) throws {
        try Data().write(to: folder.url.appending(path: "there.html"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Empty"), withIntermediateDirectories: true)
        let before = try folder.names
        let outcome = try run(line)
        #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try folder.names == before)
    }
}
