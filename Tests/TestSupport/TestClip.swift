import Foundation
package import SystemPackage

/// A clip made with ffmpeg, for one test: it may be changed, and files be made beside it.
package final class TestClip: Sendable {
    private let owner: TemporaryFolder
    package let path: FilePath
    package var folder: FilePath { owner.path }

    /// - Parameters:
    ///   - name: its ending names the container.
    ///   - arguments: ffmpeg's, from the first input to the last option.
    package init(_ name: FilePath.Component, _ arguments: String) throws {
        owner = try TemporaryFolder()
        path = owner.path.appending(name)
        try FileManager.default.copyItem(atPath: SampleClips.make(name.string, arguments), toPath: path.string)
    }

    /// ffmpeg's input of a moving picture.
    package static func picture(seconds: Double, rate: Int = 30) -> String {
        "-f lavfi -i testsrc2=size=64x36:rate=\(rate):duration=\(seconds)"
    }

    /// ffmpeg's input of a tone.
    package static func tone(seconds: Double) -> String {
        "-f lavfi -i sine=sample_rate=48000:duration=\(seconds)"
    }
}
