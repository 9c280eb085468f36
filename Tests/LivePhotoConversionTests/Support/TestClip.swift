import Foundation
import SystemPackage
import TestSamples
import Testing

/// A clip made with ffmpeg for one test, in a folder that is gone after it.
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
        try ffmpeg(arguments, to: path)
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

/// Has ffmpeg make a file.
///
/// - Parameter arguments: from the first input to the last option.
func ffmpeg(_ arguments: String, to path: FilePath) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
        ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments.split(separator: " ").map(String.init) + [path.string]
    try process.runUntilExit()
    try #require(process.terminationStatus == 0, "ffmpeg could not make \(path)")
}
