import Bytes
import Files
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage

extension FuzzedReader {
    static let workerOrders = FuzzedReader(
        sources: ["LivePhotoRequests/Work", "LivePhotoRequests/Options"], words: jsonWords + settingWords,
        samples: { try sampleOrders().map { try JSON.line($0) } },
        run: { bytes in
            _ = try? OrderInput.version(of: bytes, for: "livephoto-media")
            guard let order = checkedCode(WorkerOrder.self, bytes) else { return }
            _ = (order.work.subject, order.work.files, order.work.limits, order.work.encodesByPlan)
        })

    /// Lines as they come, in two parts.
    static let workerAnswers = FuzzedReader(
        sources: [
            "LivePhotoWorker/WorkerAnswer.swift", "LivePhotoRequests/Results",
            "LivePhotoRequests/Work/WorkerEvent.swift",
        ],
        words: jsonWords,
        samples: {
            let progress = WorkerEvent.progress(ConversionProgress(frames: 3, totalFrames: 36))
            let failure = WorkerEvent.failure(ReportedError(LivePhotoError(.unusableMedia, "a.mp4", "is damaged")))
            return try [
                progress, failure, .result(.jpeg), .result(.sound(isPresent: true)),
                .result(.similarity(Similarity(0.5))),
            ]
            .map { try JSON.line($0) }
        },
        run: { bytes in
            let now = ContinuousClock.now
            var (whole, parts) = (WorkerAnswer(now: now), WorkerAnswer(now: now))
            _ = whole.append(bytes, at: now) { _ in }
            for part in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
                _ = parts.append(Array(part), at: now) { _ in }
            }
            Fuzzing.expect((whole.problem == nil) == (parts.problem == nil), "an answer in parts is another one")
            guard whole.problem == nil, let event = whole.result, let line = try? JSON.line(event) else { return }
            _ = checkedCode(WorkerEvent.self, line)
        })

    static let serverLines = FuzzedReader(
        sources: ["LivePhotoRequests/Server"], words: jsonWords,
        samples: {
            let pair = PairPaths(photo: "a.JPG", movie: "a.MOV")
            let share = ServerOrder(.share(ShareOrder([ShareOrder.Item(name: "a", pair)])))
            let studio = ServerOrder(
                .studio(
                    StudioOrder([PathText("a.mp4")], output: PathText("out"), presets: [.classic], preset: "classic")))
            let opened = ShareEvent.opened(client: ShownText("10.0.0.2"), device: ShownText("iPhone"))
            let listening = StudioEvent.listening(address: ShownText("http://localhost:1/"))
            return [try JSON.line(share), try JSON.line(studio), try JSON.line(opened), try JSON.line(listening)]
        },
        run: { bytes in
            _ = checkedCode(ServerOrder.self, bytes)?.service.decoders
            _ = checkedCode(ShareEvent.self, bytes)?.failure
            _ = checkedCode(StudioEvent.self, bytes)?.failure
        })

    static let jsonWords = [
        "{\"", "\":", "[", "]", "null", "true", "1e999", "-0", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615",
        "\\u0000", "\\ud800", "\"path\":", "\"size\":", "\"number\":", "1e-400",
    ]

    private static func sampleOrders() throws -> [WorkerOrder] {
        let works: [Work] = [
            .environment, .sound(movie: "a.MOV"), .jpeg(photo: "a.HEIC", quality: 92, maximum: nil),
            .thumbnails(photos: ["a.JPG", "b.JPG"], edge: 256, quality: 80, .embedded),
        ]
        return works.map {
            WorkerOrder($0, into: ["out"], limits: WorkerLimits(memory: 1 << 30), sandbox: .auto, isVerbose: false)
        }
    }
}

/// A value that can be read is written so that it is read as the same.
func checkedCode<Value: Codable>(_: Value.Type, _ bytes: [UInt8]) -> Value? {
    guard let value = try? JSON.decode(Value.self, from: bytes) else { return nil }
    let line = Fuzzing.must("a value that was read cannot be written") { try JSON.line(value) }
    Fuzzing.must("a value that was written cannot be read") {
        let again = try JSON.line(JSON.decode(Value.self, from: line))
        Fuzzing.expect(again == line, "a value is read back as another one")
    }
    return value
}
