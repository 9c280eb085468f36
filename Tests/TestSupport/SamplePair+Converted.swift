package import Foundation
import Synchronization

/// A Live Photo that `livephoto` makes of `SampleClips.beach()`, for tests that need pictures: made when first asked for,
/// and kept while the tests run.
extension SamplePair {
    private static let folder = Mutex<TemporaryFolder?>(nil)
    private static let names = ["beach.JPG", "beach.MOV", "PXL_1.MP.jpg"]

    /// Puts `beach.JPG` and `beach.MOV` into a folder, and if asked for the same pair as a motion photo, `PXL_1.MP.jpg`.
    package static func copyConverted(to home: URL, withMotionPhoto: Bool = false) throws {
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
            try Program.run([Program.livephoto.path] + arguments, in: folder.url)
        }
        return folder
    }
}
