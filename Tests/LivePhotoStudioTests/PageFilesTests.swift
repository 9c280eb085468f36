import Foundation
import LivePhotoStudio
import Testing

/// The page's own files.
@Suite struct PageFilesTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Sources/LivePhotoStudio/Page").standardized

    static var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "index.html" } }
    }

    @Test func `every file of the page is served`() throws {
        #expect(try Self.names.filter { PageFiles.file($0) == nil }.isEmpty)
    }

    @Test func `every file that the page names is served`() throws {
        for name in try Self.names + ["index.html"] {
            let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /(?:\.\/|\/page\/)(?<file>[a-z-]+\.(?:js|css|svg))/) {
                #expect(PageFiles.file(String(match.file)) != nil, "\(name) names \(match.file)")
            }
        }
    }

    @Test func `the page has no script or style of its own, which its policy forbids`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "index.html"), encoding: .utf8)
        #expect(!text.contains("<style") && !text.contains(" style=") && !text.contains(" onclick="))
        #expect(text.matches(of: /<script/).count == text.matches(of: /<script type="module" src="/).count)
        #expect(PageFiles.policy.contains("script-src 'self';") && PageFiles.policy.contains("default-src 'none'"))
    }

    @Test func `both languages have the same words`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "words.js"), encoding: .utf8)
        let keys = text.matches(of: #/"(?<key>[a-z0-9-]+)": /#).map { String($0.key) }
        let counts = Dictionary(grouping: keys, by: \.self).mapValues(\.count)
        #expect(
            counts.count > 50 && counts.values.allSatisfy { $0 == 2 },
            "\(counts.filter { $0.value != 2 }.keys.sorted())")
    }
}
