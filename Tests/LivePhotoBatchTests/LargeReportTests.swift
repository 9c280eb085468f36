import Foundation
import LivePhotoBatch
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage
import TestSupport
import Testing

/// The page of a batch of many jobs, which shows a sample.
@Suite struct LargeReportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func page(_ records: [JobRecord], _ engine: MediaEngine? = nil) async throws -> String {
        try await MergedReport(merging: [(records, folder.path)])
            .writeHTML(
                to: folder.path.appending("page.html"), engine ?? MediaWorker().engine, replacesExisting: true)
        return try folder.text("page.html")
    }

    private func output(_ name: String) -> String { "{\"path\":\"\(name)\",\"bytes\":1,\"sha256\":\"\"}" }

    @Test(arguments: [(1, 1, 0), (500, 500, 0), (501, 240, 501), (1_100, 240, 1_100)])
    func `few photos are all shown, and of many a sample with links to all`(
        jobs: Int, pictures: Int, links: Int
    ) async throws {
        // Photos outside of the folder need no decoder.
        let page = try await page(
            (0..<jobs).map {
                try record("job-\($0)", .done, "\"photo\":\(output("../a")),\"movie\":\(output("b.MOV"))")
            })
        #expect(page.count(of: "<figure>") == pictures)
        #expect(page.count(of: "<li>") == links && page.count(of: ">movie</a>") == links)
        #expect(page.count(of: "<a href=\"#all\">") == (links > 0 ? 1 : 0))
        #expect(page.count(of: "<summary>") == (links + 999) / 1_000)
        let named = Set(page.components(separatedBy: "<bdi>").map { $0.prefix { $0 != "<" } })
        #expect(named.isSuperset(of: (0..<jobs).map { "job-\($0)" }))
        if jobs == 1_100 {
            #expect(page.contains("<p class=\"origin\">240 of 1100, evenly spread."))
            #expect(page.contains("<summary>1001 to 1100: <bdi>job-1000</bdi> to <bdi>job-1099</bdi></summary>"))
            #expect(page.contains("<figcaption><b><bdi>job-4</bdi>") && !page.contains("<figcaption><b><bdi>job-3<"))
        }
    }

    @Test(arguments: [(500, 1, 500, 0, 0), (501, 1, 20, 1, 0), (1_200, 60, 1_000, 0, 10), (1_260, 60, 1_000, 50, 10)])
    func `few failures are all shown, and of many examples of each reason`(
        jobs: Int, reasons: Int, shown: Int, cut: Int, others: Int
    ) async throws {
        // Numbers do not make reasons different.
        let page = try await page(
            (0..<jobs).map {
                let reason = "is bad because of \(String(repeating: "x", count: $0 % reasons + 1))"
                return try record("job-\($0)", .failed, "\"error\":\"e\",\"reason\":\"\(reason)\"")
            })
        #expect(page.count(of: "<article") == shown && page.count(of: "<p>and ") == cut)
        #expect(
            page.contains("<p>\(others * jobs / reasons) jobs failed for \(others) other reasons.</p>") == (others > 0))
        #expect(page.contains("--csv") == (jobs > 500))
        #expect(page.contains("<dt><bdi>Failed</bdi></dt><dd><bdi>\(jobs)</bdi></dd>"))
    }

    @Test(arguments: [(500, ""), (502, "<p>and 2 others</p>\n")])
    func `many unfinished jobs are counted`(jobs: Int, note: String) async throws {
        let page = try await page((0..<jobs).map { try record("job-\($0)", .pending) })
        #expect(page.count(of: "<li>") == 500 && page.contains("</li>\n</ul>\n\(note)</section>"))
    }

    @Test func `every text and every address is escaped wherever it is`() async throws {
        let evil = "<i>&'%\u{202E}"
        let texts = """
            "error":"\(evil)","reason":"\(evil)","lastWords":["\(evil)"],"warnings":["\(evil)"],\
            "photo":\(output("a\(evil).JPG")),"movie":\(output("a\(evil).MOV"))
            """
        let done = try (0..<501).map { try record("\(evil)\($0)", .done, texts) }
        let failed = try (0..<501).map { try record("\(evil)f\($0)", .failed, texts) }
        let page = try await page(done + failed + [record("\(evil)p", .pending)])
        #expect(!page.contains("<i>") && !page.unicodeScalars.contains("\u{202E}"))
        #expect(page.count(of: "<a href=\"a%3Ci%3E%26%27%25%E2%80%AE.JPG\"><bdi>&lt;i&gt;&amp;&#39;%") == 501)
        #expect(page.count(of: "<li>") == 502)
    }

    @Test func `a page of long names has at most 50 MB, and says how many jobs it leaves out`() async throws {
        let name = String(repeating: "ü<", count: 4_000)
        let files = "\"photo\":\(output("../a")),\"movie\":\(output("b.MOV"))"
        let page = try await page((0..<1_500).map { try record("\(name)\($0)", .done, files) })
        #expect(page.utf8.count < 50_000_000)
        #expect(
            page.hasSuffix(
                "<p>and 500 others</p>\n<p class=\"origin\">The table that --csv writes has all jobs.</p>\n</section>\n</main>\n</body>\n</html>\n"
            ))
    }

    @Test func `photos with and without a thumbnail, and files that are no photos, share a process`() async throws {
        try Program.ffmpeg("-f lavfi -i color=red:size=640x480 -frames:v 1", to: folder.path("plain.jpg"))
        try Program.ffmpeg("-f lavfi -i color=blue:size=160x120 -frames:v 1", to: folder.path("small.jpg"))
        try FileManager.default.copyItem(atPath: folder.path("plain.jpg"), toPath: folder.path("own.jpg"))
        try Program.run([
            "exiftool", "-q", "-overwrite_original", "-ThumbnailImage<=\(folder.path("small.jpg"))",
            folder.path("own.jpg"),
        ])
        try folder.write("text", to: "text.jpg")
        let names = ["plain.jpg", "own.jpg", "gone.jpg", "text.jpg"].map { folder.path.appending($0) }
        let results = await MediaWorker().engine.thumbnails(of: names, edge: 320, quality: 78, from: .embedded)
        let told = results.map { result in
            switch result {
            case .success(let thumbnail): "\(thumbnail.size)"
            case .failure(let error): "\(error)"
            }
        }
        #expect(told[..<2] == ["320x240", "160x120"])
        #expect(told[2] == "\(folder.path("gone.jpg")): no such file", "\(told)")
        #expect(told[3].hasPrefix("\(folder.path("text.jpg")): is not a photo"), "\(told)")
    }

    @Test func `a photo that ends its process affects no other`() async throws {
        try Program.ffmpeg("-f lavfi -i color=red:size=64x48 -frames:v 1", to: folder.path("a.jpg"))
        for name in ["b.jpg", "bad.jpg"] {
            try FileManager.default.copyItem(atPath: folder.path("a.jpg"), toPath: folder.path(name))
        }
        let worker = MediaWorker().engine
        let engine = MediaEngine { work, outputs, progress in
            if work.files.contains(where: { $0.lastComponent == "bad.jpg" }) {
                throw LivePhotoError(.unusableMedia, nil, "made its decoder crash")
            }
            return try await worker.perform(work, into: outputs, progress) { $0 }
        }
        let records = try ["a.jpg", "bad.jpg", "b.jpg", "a.jpg", "bad.jpg", "b.jpg"].enumerated().map {
            try record("\($0.offset)", .done, "\"photo\":\(output($0.element))")
        }
        let page = try await page(records, engine)
        #expect(page.count(of: "data:image/jpeg") == 4 && page.count(of: "<bdi>made its decoder crash</bdi>") == 2)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
