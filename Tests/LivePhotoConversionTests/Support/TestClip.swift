import Foundation
import SystemPackage
import Testing

/// A clip made with ffmpeg for one test, in a folder that is gone after it.
final class TestClip: Sendable {
    let folder: FilePath
    let path: FilePath

    /// - Parameters:
    ///   - name: its ending names the container.
    ///   - arguments: ffmpeg's, from the first input to the last option.
    init(_ name: FilePath.Component, _ arguments: String) throws {
        folder = FilePath(FileManager.default.temporaryDirectory.path).appending("livephoto-test-\(UUID().uuidString)")
        path = folder.appending(name)
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments.split(separator: " ").map(String.init)
            + [path.string]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "ffmpeg could not make \(path)")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder.string)
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
