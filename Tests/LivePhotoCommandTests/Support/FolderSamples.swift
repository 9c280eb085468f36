import Foundation
import TestSupport

/// Photos and movies of one name, small, which know nothing of each other.
enum FolderSamples {
    static func movie() throws -> String {
        try SampleClips.moving(
            "small.mov", size: "160x90", seconds: 1, codec: "libx264 -preset ultrafast -g 30", sound: "aac")
    }

    /// The movie's frame at 0.6 s, or a picture in one colour.
    static func photo(_ kind: String) throws -> String {
        guard kind == "frame" else {
            return try SampleClips.make("\(kind).jpg", "-f lavfi -i color=\(kind):size=160x90 -frames:v 1")
        }
        return try SampleClips.make("frame.jpg", "-i \(movie()) -ss 0.6 -frames:v 1 -q:v 2")
    }

    /// - Parameter name: without extension, in the folder.
    static func write(_ name: String, photo kind: String = "frame", to folder: TemporaryFolder) throws {
        for (path, ending) in [(try photo(kind), "jpg"), (try movie(), "mov")] {
            let target = folder.url.appendingPathComponent("\(name).\(ending)")
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path, toPath: target.path)
        }
    }
}
