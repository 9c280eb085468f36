import Foundation
import LivePhotoBatch
import StillImage
import SystemPackage
import TestSupport
import Testing

@Suite struct HTMLReportTests {
    /// Writes the page of these records and reads it.
    private func page(_ records: [JobRecord], in folder: TemporaryFolder) async throws -> String {
        try await MergedReport(merging: [(records, folder.path)])
            .writeHTML(to: folder.path.appending("page.html"), MediaWorker().engine)
        return try folder.text("page.html")
    }

    @Test func `every text of a record is escaped wherever it is`() async throws {
        let evil = "<i>&'"
        let output = "{\"path\":\"\(evil)\",\"bytes\":1,\"sha256\":\"\(evil)\"}"
        let texts = """
            "error":"\(evil)","lastWords":["\(evil)"],"warnings":["\(evil)"],"signal":"\(evil)","host":"\(evil)",\
            "version":"\(evil)","shard":"\(evil)","ended":"\(evil)","stillAsked":"\(evil)","seconds":1,\
            "photo":\(output),"movie":\(output),"contentIdentifier":"\(evil)",\
            "inputs":[{"path":"\(evil)","bytes":1,"modified":2,"sha256":"\(evil)"}]
            """
        let records = try [JobRecord.Status.done, .failed, .started, .pending].map {
            try record("\(evil)\($0)", $0, texts)
        }
        let page = try await page(records, in: TemporaryFolder())
        #expect(!page.contains("<i>"))
        #expect(page.count(of: "&lt;i&gt;&amp;&#39;") == 16, "\(page)")
    }

    @Test func `the page asks for nothing from anywhere`() async throws {
        let page = try await page([record("a", .done), record("b", .failed)], in: TemporaryFolder())
        for word in ["http:", "https:", "<link", "@import", "url("] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'") && page.count(of: "<script") == 1)
    }

    @Test(arguments: [
        ("gone.JPG", "gone.JPG: no such file"), ("text.JPG", "is not a photo"),
        ("../secret.JPG", "is not inside the batch&#39;s folder"),
    ])
    func `a photo that cannot be shown leaves its place and says why`(name: String, reason: String) async throws {
        let folder = try TemporaryFolder(["text.JPG": "text"])
        let photo = "\"photo\":{\"path\":\"\(name)\",\"bytes\":1,\"sha256\":\"\"}"
        let page = try await page([record("a", .done, photo)], in: folder)
        #expect(page.contains("<p class=\"gone\">") && page.contains(reason) && !page.contains("data:image"))
    }

    @Test func `thumbnails are small, upright and in the order of their jobs`() async throws {
        let folder = try TemporaryFolder()
        // Of different shapes, so that each is known by its size; the last one is stored lying.
        let sizes = ["640x320", "320x640", "100x60", "640x480"]
        for (index, size) in sizes.enumerated() {
            try Program.ffmpeg("-f lavfi -i color=red:size=\(size) -frames:v 1", to: folder.path("\(index).jpg"))
        }
        try Program.run(["exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", folder.path("3.jpg")])
        let records = try (0..<12).map { index in
            try record("\(index)", .done, "\"photo\":{\"path\":\"\(index % 4).jpg\",\"bytes\":1,\"sha256\":\"\"}")
        }
        let page = try await page(records, in: folder)
        let pictures = page.components(separatedBy: "data:image/jpeg;base64,").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        let shown = try pictures.map { "\(try JPEG([UInt8](#require(Data(base64Encoded: String($0))))).size)" }
        #expect(shown == (0..<12).map { ["320x160", "160x320", "100x60", "240x320"][$0 % 4] })
    }

    @Test func `a task that is cancelled leaves no page`() async throws {
        let folder = try TemporaryFolder()
        let records = try (0..<8).map { try record("\($0)", .done) }
        let report = MergedReport(merging: [(records, folder.path)])
        let path = folder.path.appending("page.html")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await report.writeHTML(to: path, MediaWorker().engine)
        }
        let result = await task.result
        #expect(throws: LivePhotoError.self) { try result.get() }
        #expect(try folder.names.isEmpty)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
