import FoundationEssentials
import LivePhotoKit
import LivePhotoRequests

/// Why a file is missing, as far as its name tells.
enum MissingFile {
    /// `; did you mean 'Beach.mp4'?`, or nothing.
    static func advice(on path: FilePath) -> String {
        let text = path.string
        if text.contains(/^[a-z][a-z0-9+.-]+:\//.ignoresCase()) {
            return "; it is an address: download the file first"
        }
        if let same = sameIgnoringCase(path) {
            return "; did you mean \(quoted(same.string))?"
        }
        if text.contains(where: { "*?[".contains($0) }) {
            return "; without quotation marks, the shell replaces a pattern by the names of files"
        }
        return ""
    }

    /// A file in the same folder whose name differs only in case.
    private static func sameIgnoringCase(_ path: FilePath) -> FilePath? {
        guard let name = path.lastComponent?.string,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path.folder.string)
        else { return nil }
        return names.sorted().first { $0 != name && $0.lowercased() == name.lowercased() }.map {
            path.removingLastComponent().appending($0)
        }
    }
}
