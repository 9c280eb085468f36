import Foundation
import LivePhotoBatch
import LivePhotoConversion
import SystemPackage
import TestSupport
import Testing

/// Holds the articles of the documentation to the sources.
@Suite struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static let catalog = "Documentation/LivePhoto.docc"

    private static let articles =
        (FileManager.default.subpaths(atPath: root.appendingPathComponent(catalog).path) ?? [])
        .filter { $0.hasSuffix(".md") }.map { "\(catalog)/\($0)" }

    @Test func `every example of the article about the libraries is one that these tests run`() throws {
        let article = try Self.text("\(Self.catalog)/Libraries.md")
        let blocks = article.matches(of: /(?ms)^```swift\n(.*?)^```$/).map { String($0.1) }
        let declarations = blocks.filter { !$0.hasPrefix("import ") }
        let examples = try Self.text("Tests/LivePhotoBatchTests/Support/LibraryExamples.swift")
        #expect(declarations.count > 10)
        #expect(examples.hasSuffix("\n\n" + declarations.joined(separator: "\n")))
    }

    @Test func `types and files that the articles name exist`() throws {
        let declarations = try Program.run(
            [
                "grep", "-rhoE", "--include=*.swift", "(struct|class|enum|protocol|actor) [A-Z][A-Za-z0-9]+", "Sources",
                "Tests",
            ],
            in: Self.root)
        let declared = Set(declarations.split(separator: "\n").compactMap { $0.split(separator: " ").last })
        let others: Set<Substring> = [
            "AVFrame", "AppleContentIdentifier", "Documentation", "HDRGainMapHeadroom", "MotionPhoto_Data", "Package",
        ]
        var types = 0
        for article in Self.articles {
            let text = try Self.text(article)
            // DocC checks the names in double backticks.
            let names = /(?:^|[^`])`(?<type>[A-Z]+[a-z]\w*)(?:\.[\w.]+(?:\([\w:]*\))?)?`(?!`)/
            for match in text.matches(of: names) {
                let type = match.type
                types += 1
                #expect(declared.contains(type) || others.contains(type), "\(type) in \(article)")
            }
            for match in text.matches(of: /`(?<path>(?:Sources|Tests|Scripts|Documentation|Presets)\/[\w.\/-]*)/) {
                let path = Self.root.appendingPathComponent(String(match.path)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(match.path) in \(article)")
            }
        }
        #expect(Self.articles.count >= 6 && types > 50)
    }
}

/// Runs the examples of the article about the libraries.
@Suite struct LibraryExampleTests {
    private let bed: BatchBed
    private var clip: FilePath { bed.folder.path.appending("beach.mp4") }
    private var folder: FilePath { bed.output }

    init() throws {
        bed = try BatchBed(clips: ["beach"])
    }

    @Test func `a pair is made, inspected, verified, packed and extracted as documented`() async throws {
        let pair = try await makeLivePhoto(from: clip, in: folder)
        #expect(pair.photo == folder.appending("beach.JPG") && pair.movie == folder.appending("beach.MOV"))
        #expect(try stillTime(of: pair.movie) != nil)
        #expect(try stillTime(of: pair.photo) == nil)
        #expect(try await defects(of: pair) == [])
        #expect(try await goodPairs(below: folder) == [pair.photo])
        #expect(try await writeGIF(of: pair, to: bed.folder.path.appending("beach.gif")) > 1)
        let packed = bed.folder.path.appending("phone")
        try FileManager.default.createDirectory(atPath: packed.string, withIntermediateDirectories: true)
        #expect(try motionPhoto(of: pair, at: packed) == packed.appending("beach.MP.jpg"))
        let extracted = bed.folder.path.appending("extracted")
        #expect(try await extractAll(below: packed, to: extracted) == [extracted.appending("beach.JPG")])
        #expect(try await goodPairs(below: extracted) == [extracted.appending("beach.JPG")])
    }

    @Test func `a request with other settings is planned as documented`() async throws {
        let request = try squareRequest(for: clip, in: folder)
        let plan = try await describePlan(for: request)
        #expect(plan.contains("frames of 64x64, photo of 64x64 from "), "\(plan)")
        #expect(bed.folder.contents == ["beach.mp4"])
    }

    @Test func `a photo and a movie are linked as documented`() async throws {
        let pair = try await makeSafely(from: clip, in: folder)
        let copies = bed.folder.path.appending("linked")
        let linked = try await link(pair.photo, pair.movie, to: copies)
        #expect(linked.photo == copies.appending("beach.JPG"))
        #expect(linked.contentIdentifier == pair.contentIdentifier)
    }

    @Test func `a pair is edited as documented`() async throws {
        let pair = try await makeSafely(from: clip, in: folder)
        let edited = try await negative(of: pair, in: bed.folder.path.appending("negatives"))
        #expect(edited.photo == bed.folder.path.appending("negatives/beach.JPG"))
        #expect(edited.contentIdentifier != pair.contentIdentifier)
    }

    @Test func `a batch runs as documented`() async throws {
        try bed.folder.write("version: 1\njobs:\n- input: beach.mp4\n", to: "jobs.yaml")
        let records = try await runBatch(bed.folder.path.appending("jobs.yaml"), in: folder)
        #expect(records.map(\.status) == [.done])
        #expect(try bed.names == ["beach.JPG", "beach.MOV", "report.jsonl"])
    }

    @Test func `errors are told apart by their code as documented`() {
        #expect(canTryAgain(after: LivePhotoError(.temporary, nil, "not enough memory")))
        #expect(!canTryAgain(after: LivePhotoError(.unknownPreset, nil, "no preset is named 'x'")))
    }
}
