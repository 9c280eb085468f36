import Foundation
import LivePhotoRequests
import LivePhotoWorker
import Testing

/// What the worker writes is checked while it is read.
@Suite struct WorkerAnswerTests {
    private static func json(_ event: WorkerEvent) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(JSON.line(event)))
    }

    private static let size = PixelSize(width: 320, height: 180)
    private static let second = MediaTime(value: 600, timescale: 600)
    private static let score = StillScore(
        total: 700, contrast: 1000, sharpness: 800, steadiness: 1000, exposure: 900, cleanness: 1000, continuity: 1000,
        position: 970)

    /// The header and the end of a JPEG of this size.
    private static func thumbnail() -> Thumbnail {
        Thumbnail(
            jpeg: [
                0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 180, 1, 64, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0,
                0xFF, 0xD9,
            ], size: size)
    }

    private static func events() throws -> [WorkerEvent] {
        let plan = PlanSummary(
            clipDuration: second, contentIdentifier: ContentIdentifier(), start: .zero, end: second,
            stillInClip: second,
            stillTime: second,
            duration: second, frameCount: 15, frameRate: .whole(15), clipFrameRate: .whole(30), keepsMovie: false,
            isToneMapped: false,
            keepsHDR: false, hasGainMap: false, movieSize: size, photoSize: size,
            metadata: ClipMetadata(
                captureDate: CaptureDate(iso8601: "2024-05-06T07:08:09Z"),
                location: GeographicLocation(latitude: 1, longitude: 2), make: "Maker", model: "Model"),
            captureDateSource: nil, stillCandidates: [StillCandidate(time: second, score: score)],
            warnings: ["one"], text: "clip: a\nmovie: b", filters: "null")
        let picture = FrameSheet.Picture(
            time: second, still: "1.00", frame: 15, score: score, isSuggested: true, isInWindow: true)
        let sheet = FrameSheet(
            pictures: [picture], clipDuration: second, windowStart: .zero, windowEnd: second, suggestedStill: "1.00",
            candidates: [StillCandidate(time: second, score: score)], size: size, hasSound: true, warnings: ["one"])
        var environment = ConversionEnvironment(
            ffmpegRelease: "7.1", libraries: [.init(name: "libavcodec", version: "61")], x264: "core 164",
            libheif: "1.19.8",
            components: [
                .init(kind: "encoder", name: "libx264", purpose: "the movie", isPresent: true, isRequired: true)
            ])
        environment.sandbox = SandboxReport(landlock: 4, seccomp: true)
        let media = ExportedMedia(size: size, frames: 2, duration: second, parts: [7, 8], warnings: ["one"])
        let frames = SmallFrames(
            frames: [
                .init(time: .zero, still: "0.00", bytes: 700),
                .init(time: MediaTime(value: 1, timescale: 30), still: "0.04", bytes: 1),
            ],
            size: size, clipDuration: second, end: second)
        let levels = SoundLevels(interval: MediaTime(value: 2, timescale: 20), levels: [0, 17, 1000])
        let error = LivePhotoError(.unusableMedia, "beach.mp4", "is damaged", cause: CancellationError())
        return [
            .progress(ConversionProgress(frames: 1, totalFrames: 2)), .failure(ReportedError(error)),
            .otherVersion(ShownText("9.9")),
        ]
            + [
                .plan(plan), .movies([MadeMovie(plan, warnings: ["two"])]), .similarity(Similarity(0.9)),
                .still(StillMatch(stillTime: second, similarity: 0.9)), .sound(isPresent: true), .jpeg, .frames(media),
                .sheet(sheet), .smallFrames(frames), .soundLevels(levels), .thumbnail(thumbnail()),
                .thumbnails([
                    .made(thumbnail()), .failed(ReportedError(LivePhotoError(.noInput, "a.jpg", "no such file"))),
                ]),
                .environment(environment),
            ].map { WorkerEvent.result($0) }
    }

    /// Values in place of others. The texts are JSON.
    private static let values = [
        "0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993", "1e308", "1e999", "1.5", "NaN",
        #""""#, #""NaN""#, #""1; rm -rf ~""#, #""\u001b[2J\u0000""#, "null", "true", "{}", "[]",
        "[" + Array(repeating: "0", count: 1_000).joined(separator: ",") + "]",
        "\"" + String(repeating: "x", count: 20_000) + "\"",
        "\"e" + String(repeating: "\u{301}", count: 5_000) + "\"",
    ]

    /// All texts of JSON that differ from `value` by one value.
    private static func changes(of value: Any) -> [String] {
        func text(_ value: Any) -> String {
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
        let parts: [String]
        switch value {
        case let object as [String: Any]:
            parts = object.keys.sorted().flatMap { key in
                let others = object.filter { $0.key != key }.map { "\"\($0.key)\":\(text($0.value))" }
                let changed = changes(of: object[key] ?? 0).map { "\"\(key)\":\($0)" }
                return (changed.map { [$0] } + [[]]).map { "{" + ($0 + others).joined(separator: ",") + "}" }
            }
        case let array as [Any]:
            parts = array.indices.flatMap { index in
                changes(of: array[index]).map { change in
                    let texts = array.indices.map { $0 == index ? change : text(array[$0]) }
                    return "[" + texts.joined(separator: ",") + "]"
                }
            }
        default: parts = []
        }
        return parts + values
    }

    /// What programs do with a result: show it, calculate with it.
    private func use(_ event: WorkerEvent) {
        switch event {
        case .result(.plan(let plan)): use(plan)
        case .result(.movies(let movies)): for movie in movies { use(movie.plan) }
        case .result(.frames(let media)):
            #expect(1...media.frames ~= media.frames && media.parts.reduce(0, +) >= 0)
            #expect(media.duration.rescaled(to: 1_000_000_000).value >= 0)
        case .result(.sheet(let sheet)):
            for picture in sheet.pictures {
                #expect(
                    MediaTime(text: picture.still) != nil && "\(picture.score.map { "\($0)" } ?? "")".utf8.count < 200)
            }
        case .result(.smallFrames(let found)):
            let times = found.frames.map(\.time) + [found.end]
            #expect(1...SmallFrames.mostFrames ~= found.frames.count && zip(times, times.dropFirst()).allSatisfy(<))
            #expect(found.frames.allSatisfy { $0.bytes > 0 && MediaTime(text: $0.still) != nil })
            #expect(found.frames.reduce(0) { $0 + $1.bytes } > 0 && found.clipDuration >= .zero)
        case .result(.soundLevels(let sound)):
            #expect(sound.levels.count <= SoundLevels.mostLevels && sound.levels.allSatisfy { 0...1000 ~= $0 })
            #expect(sound.interval.seconds >= 0.05)
        case .result(.thumbnail(let thumbnail)): #expect(thumbnail.size == Self.size && !thumbnail.jpeg.isEmpty)
        case .result(.thumbnails(let outcomes)):
            for case .made(let thumbnail) in outcomes { #expect(thumbnail.size == Self.size) }
        case .result(.still(let match)): #expect(match.similarity.isFinite && match.stillTime >= .zero)
        case .result(.similarity(let similarity)): #expect(-1...1 ~= similarity.value)
        case .failure(let error):
            #expect(error.code.exitStatus > 0 && !error.reason.unicodeScalars.contains { $0.value < 32 })
        case .otherVersion(let version): #expect(!version.text.unicodeScalars.contains { $0.value < 32 })
        case .progress, .result: break
        }
    }

    private func use(_ plan: PlanSummary) {
        #expect(plan.frameCount > 0 && plan.duration >= .zero && plan.movieSize.longEdge <= 65_536)
        #expect("\(plan)".utf8.count < 10_000_000)
        #expect((plan.stillTime + plan.duration).rescaled(to: .max) >= .zero)
    }

    @Test func `whatever one value of an answer is, the answer is usable or invalid`() throws {
        var (usable, invalid) = (0, 0)
        for event in try Self.events() {
            for text in Self.changes(of: try Self.json(event)) where text.hasPrefix("{") {
                var answer = WorkerAnswer()
                let isFine = answer.append(Array(text.utf8) + [10]) { #expect($0.frames >= 0 && $0.totalFrames >= 0) }
                #expect(isFine == (answer.problem == nil))
                if let result = answer.result { use(result) }
                if isFine { usable += 1 } else { invalid += 1 }
            }
        }
        #expect(usable > 200 && invalid > 1_000, "\(usable) usable, \(invalid) invalid")
    }

    @Test func `an answer as the worker writes it is read as it is`() throws {
        for event in try Self.events() {
            var answer = WorkerAnswer()
            let line = try JSON.line(event)
            #expect(answer.append(line) { _ in })
            if let result = answer.result { #expect(try JSON.line(result) == line) }
        }
    }

    @Test func `progress of hours is not too much, and a flood is`() throws {
        let start = ContinuousClock.now
        var answer = WorkerAnswer(now: start)
        let seconds = 5 * 900
        let second = Array(String(repeating: "a line of some progress\n", count: 40).utf8)
        #expect(second.count * seconds > WorkerAnswer.lineLimit)
        for index in 0..<seconds {
            guard answer.append(second, at: start + .seconds(index), { _ in }) else { break }
        }
        #expect(answer.problem == nil)
        let flood = [UInt8](repeating: 10, count: 1 << 20)
        var count = 0
        while answer.append(flood, at: start + .seconds(seconds), { _ in }), count < 10 { count += 1 }
        #expect(answer.problem == .tooMuch && count <= 4)
    }

    @Test func `a line that does not end is too much, however slowly it comes`() {
        let start = ContinuousClock.now
        var answer = WorkerAnswer(now: start)
        let part = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 15)
        var count = 0
        while answer.append(part, at: start + .seconds(count), { _ in }), count < 1_000 { count += 1 }
        #expect(answer.problem == .tooMuch && count == WorkerAnswer.lineLimit / part.count)
    }
}
