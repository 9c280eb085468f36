import Foundation
import TestSupport
import Testing

/// What `import` has made, and `undo --import` removes.
@Suite struct ImportTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        environment = ["XDG_STATE_HOME": folder.path("state")]
        for name in ["export", "library"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        for name in ["1.jpg", "1.mov"] { try SamplePair.write("export/\(name)", identifier: 1, below: folder.path) }
    }

    /// - Parameter place: How the commands name the library, and the folder in which they run.
    @Test(arguments: [(".", "library"), ("./", "library"), ("library", "."), ("./library/", ".")])
    func `an import can be undone however its library is named`(name: String, place: String) throws {
        let current = folder.url.appending(path: place)
        let made = try Program.livephoto(
            ["import", folder.path("export"), "--output", name], in: current, environment: environment)
        #expect(made.status == 0, "\(made)")
        let removed = try Program.livephoto(["undo", "--import", name], in: current, environment: environment)
        #expect(removed.status == 0 && removed.errors.contains("2 files removed"), "\(removed)")
        let left = FileManager.default.enumerator(atPath: folder.path("library"))?.allObjects as? [String] ?? []
        #expect(left.isEmpty)
    }

    @Test func `an import into the current folder is known by its path too`() throws {
        let source = folder.path("export")
        let first = try Program.livephoto(
            ["import", source, "--output", "."], in: folder.url.appending(path: "library"), environment: environment)
        #expect(first.status == 0, "\(first)")
        let removed = try Program.livephoto(
            ["undo", "--import", folder.path("library")], in: folder.url, environment: environment)
        #expect(removed.status == 0 && removed.errors.contains("2 files removed"), "\(removed)")
    }
}
