import Bytes
import LivePhotoKit
package import SystemPackage

/// A file with the figures of a batch in Prometheus' text exposition format 0.0.4, for the textfile collector of
/// node_exporter.
package struct MetricsFile: Sendable {
    private let path: FilePath
    /// Labels of all figures: the collector refuses equal ones of two files.
    private let labels: [Label]
    private let start: Double

    private typealias Label = (name: String, value: String)

    /// What the batch does at the time of writing.
    package struct State: Sendable, Hashable {
        /// Seconds since 1970.
        package let time: Double
        package let isRunning: Bool

        package init(time: Double, isRunning: Bool) { (self.time, self.isRunning) = (time, isRunning) }
    }

    /// - Parameters:
    ///   - folder: the output folder of the batch.
    ///   - start: when the batch began, in seconds since 1970.
    package init(_ path: FilePath, folder: FilePath, shard: Shard?, start: Double) {
        (self.path, self.start) = (path, start)
        let folder = CurrentProcess.folder.pushing(folder).lexicallyNormalized().string
        labels = [("folder", folder)] + (shard.map { [("shard", $0.description)] } ?? [])
    }

    /// The begin of each such file.
    private static let opening = "# HELP livephoto_batch_"

    /// Checks that the file can be written: an existing file is replaced only if it has the figures of a batch.
    ///
    /// - Throws: `LivePhotoError`
    package static func check(_ path: FilePath) throws(LivePhotoError) {
        try StagedFile.check(path, replacingOnly: "a file of metrics") { file in
            try file.bytes(at: 0, count: opening.utf8.count).elementsEqual(opening.utf8)
        }
    }

    /// Replaces the file in one step.
    ///
    /// - Throws: `LivePhotoError`
    package func write(_ metrics: BatchMetrics, _ state: State) throws(LivePhotoError) {
        // A batch that was stopped has figures too.
        try WorkInterruption.ignored { () throws(LivePhotoError) in
            try Self.check(path)
            // A file created there from now on is not replaced.
            try FileSystem.write(Array(text(metrics, state).utf8), to: path, replacing: (try? path.stat()) != nil)
        }
    }

    /// The codes of errors that a job can have. All are in each file, so that a first failure is an increase.
    private static let codes: [LivePhotoError.Code] = [
        .invalidRequest, .noInput, .unusableMedia, .outputExists, .cannotCreateOutput, .inputOutput, .temporary,
        .missingLibrary, .internalError,
    ]

    /// The content of the file.
    package func text(_ metrics: BatchMetrics, _ state: State) -> String {
        let known = Dictionary(uniqueKeysWithValues: Self.codes.map { ($0.rawValue, 0) })
        let failures = known.merging(metrics.failures) { $1 }.sorted { $0.key < $1.key }
        let states = [
            ("made", metrics.made), ("existing", metrics.existing), ("failed", metrics.failed),
            ("running", metrics.running), ("waiting", metrics.waiting),
        ]
        func group(_ name: String, _ help: String, _ values: [(label: Label?, value: String)]) -> String {
            let name = "livephoto_batch_" + name
            let kind = name.hasSuffix("_total") ? "counter" : "gauge"
            let lines = values.map { "\(name)\(labelText($0.label)) \($0.value)\n" }
            return "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n" + lines.joined()
        }
        func single(_ name: String, _ help: String, _ value: some CustomStringConvertible) -> String {
            group(name, help, [(nil, "\(value)")])
        }
        return group("jobs", "Jobs by state.", states.map { (("state", $0.0), "\($0.1)") })
            + group(
                "failed_jobs", "Failed jobs by the kind of error.",
                failures.map { (("reason", $0.key), "\($0.value)") })
            + single(
                "job_seconds_total", "Sum of the wall time of the jobs that this run has ended.",
                Self.rounded(metrics.seconds))
            + single("read_bytes_total", "Sizes of the inputs of the jobs that this run has ended.", metrics.bytesRead)
            + single(
                "written_bytes_total", "Sizes of the photos and movies that this run has made.", metrics.bytesWritten)
            + single("encoded_frames_total", "Frames that this run has encoded.", metrics.frames)
            + single("worker_restarts_total", "Attempts after the first one of a job.", metrics.restarts)
            + single("elapsed_seconds", "Wall time of this run.", Self.rounded(max(state.time - start, 0)))
            + single("start_timestamp_seconds", "When this run began.", start)
            + single("update_timestamp_seconds", "When this file was written.", state.time)
            + single("running", "1 while this run goes on, 0 after its end.", state.isRunning ? 1 : 0)
    }

    /// To milliseconds, without what sums of fractions add.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

    private func labelText(_ label: Label?) -> String {
        let all = labels + [label].compactMap(\.self)
        return "{\(all.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ","))}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
