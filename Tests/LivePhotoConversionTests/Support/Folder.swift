import Foundation
import SystemPackage

/// A folder of files that goes away with this.
final class Folder {
    let path: FilePath

    init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        path = FilePath(url.path())
        for (name, text) in files {
            let file = url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }
}
