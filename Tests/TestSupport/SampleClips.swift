package import Foundation
import Synchronization

/// Clips for the tests, made with ffmpeg when first asked for and kept while the tests run.
package enum SampleClips {
    /// What makes a clip. Two tests may give different clips one name.
    private struct Recipe: Hashable {
        let name: String
        let arguments: String
        let files: [String: Data]
    }

    private static let folder = Mutex<(folder: TemporaryFolder?, made: [Recipe: String])>((nil, [:]))

    /// - Parameters:
    ///   - name: file name; its ending names the container.
    ///   - arguments: ffmpeg's, from the first input to the last option.
    ///   - files: files that the arguments name, in the folder that ffmpeg runs in.
    package static func make(_ name: String, _ arguments: String, files: [String: Data] = [:]) throws -> String {
        try folder.withLock { state in
            let recipe = Recipe(name: name, arguments: arguments, files: files)
            if let path = state.made[recipe] { return path }
            let folder = try state.folder ?? TemporaryFolder()
            if state.folder == nil { atexit { SampleClips.folder.withLock { $0.folder = nil } } }
            state.folder = folder
            let home = folder.url.appendingPathComponent("\(state.made.count)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let path = home.appendingPathComponent(name).path
            for (name, data) in files { try data.write(to: home.appendingPathComponent(name)) }
            try Program.ffmpeg(arguments, to: path, in: home)
            state.made[recipe] = path
            return path
        }
    }

    /// A moving picture, and a beep, of `seconds`.
    package static func moving(
        _ name: String, size: String = "320x180", rate: String = "30", seconds: Double = 4,
        codec: String = "libx264 -g 30",
        filters: String = "null", sound: String? = "aac", more: String = ""
    ) throws -> String {
        var arguments = "-f lavfi -i testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"
        if sound != nil {
            arguments += " -f lavfi -i sine=frequency=440:beep_factor=4:duration=\(seconds):sample_rate=48000"
        }
        arguments += " -vf \(filters) -c:v \(codec) -pix_fmt yuv420p"
        if let sound { arguments += " -c:a \(sound)" }
        return try make(name, arguments + (more.isEmpty ? "" : " " + more))
    }

    /// A gray ramp with colour, in 10-bit BT.2020, by default without loss.
    ///
    /// - Parameter transfer: ffmpeg's name of the transfer function.
    package static func hdr(
        _ name: String, _ transfer: String, codec: String = "ffv1", range: String = "tv"
    ) throws -> String {
        try make(
            name,
            "-f lavfi -i color=gray:size=256x128:rate=30:duration=1,format=yuv420p10le,"
                + "geq=lum='64+X*3+N':cb='448+Y':cr='576-Y'"
                + " -vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=\(transfer):range=\(range)"
                + " -c:v \(codec)")
    }

    package static func beach() throws -> String { try moving("beach.mp4") }

    /// Half a minute of 1920×1080.
    package static func long() throws -> String {
        let part = try moving("part.mp4", size: "1920x1080", seconds: 1, codec: "libx264 -preset ultrafast", sound: nil)
        return try make("long.mp4", "-stream_loop 29 -i \(part) -c copy")
    }
}
