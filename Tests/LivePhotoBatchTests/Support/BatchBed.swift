import Foundation
import LivePhotoBatch
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage
import TestSupport

/// A folder with small clips, and batches of them that the program that was built with these tests does.
final class BatchBed: Sendable {
    let folder: TemporaryFolder
    var output: FilePath { folder.path.appending("out") }

    static let worker = FilePath(Program.built("livephoto-media").path)

    /// - Parameter clips: names without extension; all of the same content.
    init(clips: [String]) throws {
        folder = try TemporaryFolder()
        // A third of a second.
        let clip = try SampleClips.make(
            "clip.mp4",
            "-f lavfi -i testsrc2=size=64x64:rate=15:duration=0.34 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
        for name in clips { try FileManager.default.copyItem(atPath: clip, toPath: folder.path("\(name).mp4")) }
    }

    /// - Parameters:
    ///   - lines: a job each, as YAML in braces without the braces.
    ///   - shard: the part that is run; nil for all.
    ///   - program: the worker.
    func batch(
        _ lines: [String], shard: Shard? = nil, program: FilePath = worker, timeout: Duration? = nil,
        _ change: (inout BatchOptions) -> Void = { _ in }
    ) throws -> Batch {
        let text = "version: 1\njobs:\n" + lines.map { "- {\($0)}\n" }.joined()
        var options = BatchOptions()
        options.slots = 2
        change(&options)
        var worker = MediaWorker(program: program)
        worker.timeout = timeout.map { TimeLimit($0) }
        return Batch(
            try JobFile(yaml: text, folder: folder.path).jobs, folder: output, shard: shard,
            options: options, worker: worker)
    }

    /// A worker that runs `script` (bash) for orders of which it knows; the order is in `$order`, the staged files are
    /// `$photo` and `$movie`. All else is done by the true one.
    func double(_ script: String) throws -> FilePath {
        // The feeder of the true program must hold neither its output nor its errors open.
        let text = """
            #!/usr/bin/env bash
            ulimit -c 0
            IFS= read -r order
            answer() { '\(Self.worker)' < <(printf '%s\\n' "$order"; exec cat 2>/dev/null); }
            real() { exec '\(Self.worker)' < <(printf '%s\\n' "$order"; exec cat 2>/dev/null); }
            case $order in *'"environment"'*) real ;; esac
            [[ $order =~ '"outputs":["'([^,]+)'","'([^,]+)'"]' ]]
            photo=${BASH_REMATCH[1]} movie=${BASH_REMATCH[2]}
            \(script)
            real
            """
        let name = "double-\(UUID().uuidString)"
        try folder.write(text, to: name, permissions: 0o755)
        return folder.path.appending(name)
    }

    /// The names in the output, except the journal.
    var names: [String] {
        get throws {
            guard FileManager.default.fileExists(atPath: output.string) else { return [] }
            return try FileManager.default.subpathsOfDirectory(atPath: output.string)
                .filter { !$0.hasPrefix(".livephoto-batch") }.sorted()
        }
    }

    /// All regular files with their bytes, except the batch's own.
    var files: [String: Data] {
        get throws { try folder.files.filter { !$0.key.contains(".livephoto-batch") } }
    }

    var journal: FilePath { output.appending(".livephoto-batch/journal.jsonl") }
}
