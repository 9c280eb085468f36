import Foundation
import SystemPackage
import TestSamples
import Testing

/// A file made with programs of the system for one test, in a folder that is gone after it.
final class SampleHEIF {
    let bytes: [UInt8]
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("livephoto-test-\(UUID())")

    /// - Parameters:
    ///   - encoder: a command with its options, which may name the files `exif` and `icc`; PNG in and HEIF out are added.
    ///   - color: of all its 50 by 34 pixels, in ffmpeg's words; `red@0.5` has alpha.
    init(_ encoder: String, color: String = "0xC81E28", exif: [UInt8] = [], icc: [UInt8] = []) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(exif).write(to: folder.appendingPathComponent("exif"))
        try Data(icc).write(to: folder.appendingPathComponent("icc"))
        let format = color.contains("@") ? "rgba" : "rgb24"
        try Self.run(
            "ffmpeg -v error -nostdin -f lavfi -i color=\(color):size=50x34,format=\(format) -frames:v 1 in.png", folder
        )
        try Self.run(encoder + (encoder.hasPrefix("avifenc") ? " in.png out" : " in.png -o out"), folder)
        bytes = Array(try Data(contentsOf: folder.appendingPathComponent("out")))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static func run(_ command: String, _ folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUntilExit()
        try #require(process.terminationStatus == 0, "\(command) failed")
    }
}
