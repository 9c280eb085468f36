import Bytes
import Dispatch
import Files
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import MediaModel
import StillImage
import Synchronization
import SystemPackage
import TestSupport

/// What is asked of a worker that may answer anything and write anything.
private enum AnsweredWork: UInt8, CaseIterable {
    case pair, plan, gif, webP, frames, page, smallFrames, still, thumbnails
}

extension FuzzedReader {
    /// Whatever a worker answers and writes, what is asked of it succeeds or fails, and what is published is right.
    static let answeredWork = FuzzedReader(
        sources: [
            "LivePhotoRequests/Engine", "LivePhotoRequests/Publishing", "LivePhotoRequests/Results",
            "LivePhotoKit/Export",
        ],
        form: .answer, words: jsonWords, samples: answeredSamples, run: exerciseAnswer)

    private static let size = PixelSize(width: 320, height: 180)
    private static let stillTime = MediaTime(value: SamplePair.stillTime, timescale: 600)
    private static let end = MediaTime(value: 2, timescale: 1)
    private static let score = StillScore(
        total: 700, contrast: 1000, sharpness: 800, steadiness: 1000, exposure: 900, cleanness: 1000, continuity: 1000,
        position: 970)

    private static func answeredSamples() throws -> [[UInt8]] {
        let pair = try SamplePair()
        let plan = PlanSummary(
            clipDuration: end, contentIdentifier: ContentIdentifier(SamplePair.identifier), start: .zero, end: end,
            stillInClip: stillTime, stillTime: stillTime, duration: end, frameCount: SamplePair.frameCount,
            frameRate: .whole(15), clipFrameRate: .whole(15), keepsMovie: nil, isToneMapped: false, keepsHDR: false,
            hasGainMap: false, movieSize: SamplePair.size, photoSize: SamplePair.size,
            metadata: ClipMetadata(
                captureDate: CaptureDate(iso8601: "2024-05-06T07:08:09Z"),
                location: GeographicLocation(latitude: 1, longitude: 2), make: "Maker", model: "Model"),
            captureDateSource: nil, stillCandidates: [StillCandidate(time: stillTime, score: score)], warnings: ["one"],
            text: "clip: a\nmovie: b", filters: "null")
        let picture = try SamplePair.jpeg(size: size)
        let tenth = MediaTime(value: 1, timescale: 10)
        var shown = FrameSheet.Picture(
            time: .zero, still: "0.00", frame: 0, score: score, isSuggested: true, isInWindow: true)
        shown.bytes = picture.count
        func media(_ size: PixelSize, _ frames: Int, _ parts: [Int] = []) -> WorkResult {
            .frames(
                ExportedMedia(
                    size: size, frames: frames, duration: MediaTime(value: Int64(frames), timescale: 10), parts: parts,
                    warnings: ["one"]))
        }
        let answers: [(AnsweredWork, WorkResult, [[UInt8]])] = [
            (.pair, .movies([MadeMovie(plan, warnings: ["two"])]), [pair.photo, pair.movie]), (.plan, .plan(plan), []),
            (.gif, media(PixelSize(width: 1, height: 1), 2), [sampleGIF]),
            (.webP, media(PixelSize(width: 4, height: 4), 1), [sampleWebP]),
            (.frames, media(size, 2, [picture.count, picture.count]), [picture + picture]),
            (
                .page,
                .sheet(
                    FrameSheet(
                        pictures: [shown], clipDuration: end, windowStart: .zero, windowEnd: end,
                        suggestedStill: "0.00",
                        candidates: [StillCandidate(time: .zero, score: score)], size: size, hasSound: true,
                        warnings: ["one"])), [picture]
            ),
            (
                .smallFrames,
                .smallFrames(
                    SmallFrames(
                        frames: [
                            .init(time: .zero, still: "0.00", bytes: picture.count),
                            .init(time: tenth, still: "0.1", bytes: picture.count),
                        ],
                        size: size, clipDuration: end, end: end)), [picture + picture]
            ),
            (.still, .still(StillMatch(stillTime: stillTime, similarity: 0.9)), []),
            (
                .thumbnails,
                .thumbnails([
                    .made(Thumbnail(jpeg: picture, size: size)),
                    .failed(ReportedError(LivePhotoError(.noInput, "a.jpg", "no such file"))),
                ]), []
            ),
        ]
        return try answers.map { work, result, files in
            AnswerInput(work: work.rawValue, answer: try JSON.line(WorkerEvent.result(result)), files: files).bytes
        }
    }
}

private func exerciseAnswer(_ bytes: [UInt8]) {
    guard let input = AnswerInput(bytes),
        let work = AnsweredWork(rawValue: input.work % UInt8(AnsweredWork.allCases.count))
    else { return }
    let folder = Fuzzing.must("the folder cannot be made") { try AnswerFolder() }
    defer { folder.remove() }
    let engine = MediaEngine { _, outputs, progress in
        var answer = WorkerAnswer()
        _ = answer.append(input.answer + [UInt8(ascii: "\n")], progress)
        for (path, bytes) in zip(outputs, input.files) {
            try OutputFile(FileDescriptor.open(path, .writeOnly), path: path).write(bytes)
        }
        guard answer.problem == nil, case .result(let result) = answer.result else {
            throw LivePhotoError(.internalError, nil, "the answer is no result")
        }
        return result
    }
    do {
        let expected = try AwaitedResult { try await folder.published(work, by: engine) }.get()
        Fuzzing.expect(folder.results == expected, "\(folder.results) are published, not \(expected)")
    } catch {
        Fuzzing.expect(folder.results.isEmpty, "\(folder.results) are there after an error: \(error)")
        Fuzzing.expect(error is LivePhotoError, "an error is none for a person: \(error)")
    }
}

/// A clip and a pair, and a folder for results.
private struct AnswerFolder {
    private let folder: WorkFolder
    private let identifier = ContentIdentifier(SamplePair.identifier)
    private var path: FilePath { folder.new }
    private var clip: FilePath { path.appending("clip.mp4") }
    private var photo: FilePath { path.appending("IMG_1.JPG") }
    private var output: FilePath { path.appending("out") }

    private static let pair = Fuzzing.must("the pair cannot be made") { try SamplePair() }

    init() throws {
        folder = try WorkFolder(in: "/dev/shm")
        try OutputDirectory.create(output)
        for (file, bytes) in [(clip, Self.pair.movie), (photo, Self.pair.photo)] {
            try OutputFile.write(file) { try $0.write(bytes) }
        }
    }

    func remove() { folder.remove() }

    /// All names in the folder for results, hidden ones too.
    var results: [String] { ((try? FileSystem.names(in: output)) ?? []).map(\.string).sorted() }

    /// Does the work and looks at what it gives.
    ///
    /// - Returns: the names of what should be in the folder for results.
    func published(_ work: AnsweredWork, by engine: MediaEngine) async throws -> [String] {
        switch work {
        case .pair:
            var request = ConversionRequest(clip: clip, outputDirectory: output)
            (request.name, request.contentIdentifier) = ("a", identifier)
            let made = try await engine.convert(request)
            let report = try LivePhotoVerifier().verify(photo: made.photo, movie: made.movie)
            Fuzzing.expect(
                report.contentIdentifier == SamplePair.identifier && report.stillTime == made.plan.stillTime,
                "the pair is another one")
            Fuzzing.expect(report.isGood, "a pair is published that has errors: \(report.findings)")
            return ["a.JPG", "a.MOV"]
        case .plan:
            Fuzzing.expect(
                try await !"\(engine.plan(ConversionRequest(clip: clip, outputDirectory: output)))".isEmpty,
                "a plan says nothing")
            return []
        case .gif: return try await export(.gif, "a.gif", engine)
        case .webP: return try await export(.webp, "a.webp", engine)
        case .frames: return try await export(.frames, "a", engine)
        case .page:
            _ = try await engine.makeSheet(FrameSheetRequest(clip: clip, output: output.appending("a.html")))
            return ["a.html"]
        case .smallFrames:
            let pictures = path.appending("pictures")
            try OutputFile.write(pictures) { _ in }
            let small = try await engine.smallFrames(SmallFramesRequest(clip: clip), to: pictures)
            let sum = small.frames.reduce(0) { $0 + $1.bytes }
            let stored = try InputFile(pictures).size
            Fuzzing.expect(sum == stored, "pictures of \(sum) bytes are in a file of \(stored)")
            return []
        case .still:
            let moment = try await engine.stillMoment(of: photo, in: clip, StillChoice(search: .always))
            Fuzzing.expect(
                moment.time >= .zero && moment.time < MediaTime(value: 2, timescale: 1),
                "the still is at \(moment.time), outside of the movie")
            return []
        case .thumbnails:
            let thumbnails = await engine.thumbnails(of: [photo, photo], edge: 256, quality: 80, from: .photo)
            Fuzzing.expect(thumbnails.count == 2, "there are \(thumbnails.count) thumbnails of two photos")
            return []
        }
    }

    private func export(_ format: ExportFormat, _ name: String, _ engine: MediaEngine) async throws -> [String] {
        let file = output.appending(name)
        let made = try await engine.export(ExportRequest(photo: photo, movie: clip, as: format, to: file))
        if format == .frames {
            let count = try FileSystem.names(in: file).count
            Fuzzing.expect(count == made.frames, "\(count) pictures are there of \(made.frames) frames")
        }
        return [name]
    }
}

/// The result of work that is asynchronous, which libFuzzer's runs are not.
private final class AwaitedResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () async throws -> Value) {
        Task {
            let value: Result<Value, any Error>
            do {
                value = .success(try await work())
            } catch {
                value = .failure(error)
            }
            result.withLock { $0 = value }
            semaphore.signal()
        }
    }

    /// Waits for the end of the work.
    func get() throws -> Value {
        semaphore.wait()
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
