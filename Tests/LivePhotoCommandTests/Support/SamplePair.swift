import Foundation
import Synchronization
import Testing

/// A Live Photo of `SampleClips.beach()`, and the same as a motion photo: made when first asked for, and kept while the
/// tests run.
enum SamplePair {
    private static let folder = Mutex<TemporaryFolder?>(nil)
    private static let names = ["beach.JPG", "beach.MOV", "PXL_1.MP.jpg"]

    /// Puts `beach.JPG` and `beach.MOV` into a folder, and with them `PXL_1.MP.jpg` where that is asked for.
    static func copy(to home: URL, withMotionPhoto: Bool = false) throws {
        try folder.withLock { folder in
            let made = try folder ?? make()
            if folder == nil { atexit { SamplePair.folder.withLock { $0 = nil } } }
            folder = made
            for name in names.prefix(withMotionPhoto ? 3 : 2) {
                try FileManager.default.copyItem(
                    at: made.url.appendingPathComponent(name), to: home.appendingPathComponent(name))
            }
        }
    }

    private static func make() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for arguments in [
            ["convert", try SampleClips.beach(), "--name", "beach"],
            ["pack", "beach.JPG", "--as", "motion-photo", "-o", "PXL_1.MP.jpg"],
        ] {
            let outcome = try Program.livephoto(arguments, in: folder.url)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        return folder
    }
}
