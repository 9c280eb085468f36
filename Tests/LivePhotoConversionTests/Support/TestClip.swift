import Foundation
import SystemPackage
import TestSupport

/// A clip made with ffmpeg, for one test: it may be changed, and files be made beside it.
final class TestClip: Sendable {
    private let owner: TemporaryFolder
    let path: FilePath
    var folder: FilePath { owner.path }

    /// - Parameters:
    ///   - name: its ending names the container.
    ///   - arguments: ffmpeg's, from the first input to the last option.
    init(_ name: FilePath.Component, _ arguments: String) throws {
        owner = try TemporaryFolder()
        path = owner.path.appending(name)
        try FileManager.default.copyItem(atPath: SampleClips.make(name.string, arguments), toPath: path.string)
    }

    /// ffmpeg's input of a moving picture.
    static func picture(seconds: Double, rate: Int = 30) -> String {
        "-f lavfi -i testsrc2=size=64x36:rate=\(rate):duration=\(seconds)"
    }

    /// ffmpeg's input of a tone.
    static func tone(seconds: Double) -> String {
        "-f lavfi -i sine=sample_rate=48000:duration=\(seconds)"
    }
}
