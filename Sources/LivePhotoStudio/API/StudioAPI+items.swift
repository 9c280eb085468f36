import Bytes
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage
import WebServer

extension StudioAPI {
    /// What is shown of an item.
    func show(_ name: String, of id: Int, _ request: Request) async throws -> Response? {
        switch name {
        case "thumbnail": return Response(type: "image/jpeg", ResponseBody(try await media.thumbnail(id)))
        case "clip": return Self.json(try await info(of: id))
        case "strip": return try await Response(type: Self.packType, media.strip(id).pack.body())
        case "frames":
            let part = try Self.part(of: request)
            return Response(
                type: Self.packType, try await media.frames(id, from: part.start, to: part.end).body())
        case "levels":
            let levels = try await media.levels(id)
            return Self.json(
                LevelsDocument(secondsPerLevel: levels.interval.seconds, levels: levels.levels))
        case "sound":
            guard let sound = try await sound(of: id) else {
                return Self.json(ErrorDocument(error: "there is no sound to play", code: "noInput"), status: 404)
            }
            var response = Response(type: "audio/mp4", file: sound)
            response.entityTag = "sound-\(id)-\(sound.size)"
            return response
        default: return nil
        }
    }

    private static let packType = "application/octet-stream"

    private static func part(of request: Request) throws(LivePhotoError) -> (start: MediaTime, end: MediaTime?) {
        func time(_ name: String) throws(LivePhotoError) -> MediaTime? {
            guard let text = request.query[name] else { return nil }
            guard let time = MediaTime(text: text) else {
                throw LivePhotoError(.invalidRequest, nil, "\(name): \(quoted(text)) is no time")
            }
            return time
        }
        let (start, end) = (try time("from") ?? .zero, try time("to"))
        guard end.map({ $0 >= start }) ?? true else {
            throw LivePhotoError(.invalidRequest, nil, "the part ends before it begins")
        }
        return (start, end)
    }

    /// The sound of a clip that is short enough to be played here.
    private func sound(of id: Int) async throws -> InputFile? {
        guard try await media.strip(id).sheet.clipDuration <= ClipMedia.longestSound else { return nil }
        return try await media.sound(id)
    }

    private func info(of id: Int) async throws -> ClipInfo {
        let (item, opened) = (try await items.item(id), try await media.open(id))
        async let strip = media.strip(id)
        guard let pair = opened.pair else {
            var request = try StudioChoice().requests(of: opened.movie, to: item.output, maker.presets)[0]
            // The page is sent whole frames, and draws the crop itself.
            request.preset.picture.framing = Framing()
            let plan = try await maker.plan(of: request).plan
            return ClipInfo(clip: item, plan, try await strip.sheet)
        }
        return try ClipInfo(livePhoto: item, pair, try await strip.sheet, scratch: uploads.folder)
    }

    private struct AdjustedBody: Decodable {
        let seconds: Double
        let settings: [String: String]
    }

    /// What is done with an item.
    func use(_ name: String, of id: Int, _ request: Request) async throws -> Response? {
        switch name {
        case "adjusted":
            let body: AdjustedBody = try Self.decoded(request)
            guard 0...1e6 ~= body.seconds else { throw LivePhotoError(.invalidRequest, nil, "there is no such time") }
            var choice = StudioChoice()
            choice.settings = body.settings
            let picture = try await media.adjusted(id, at: body.seconds, choice.adjustments())
            return Response(type: "image/jpeg", ResponseBody(picture.jpeg))
        case "plan":
            return Self.json(try await plan(of: items.item(id), Self.decoded(request)))
        case "make":
            return Self.json(JobDocument(job: try await maker.make(items.item(id), Self.decoded(request))))
        default: return nil
        }
    }

    private func plan(of item: StudioItem, _ choice: StudioChoice) async throws -> PlanDocument {
        guard item.isClip else { return try await editPlan(of: item, choice) }
        let clip = try await media.open(item.id).movie
        let requests = try choice.requests(of: clip, to: item.output, maker.presets)
        let command = try choice.convertCommand(item.argument, to: item.output, maker.presets)
        let (plan, target) = try await maker.plan(of: requests[0])
        guard try await maker.isTaken(requests) else { return PlanDocument(command, plan, target, freeName: nil) }
        let name = freeName(choice.name ?? clip.stem ?? "clip") { name in
            var other = choice
            other.name = name
            return (try? other.requests(of: clip, to: item.output, maker.presets).map { try $0.target() }) ?? []
        }
        return PlanDocument(command, plan, target, freeName: name)
    }

    private func editPlan(of item: StudioItem, _ choice: StudioChoice) async throws -> PlanDocument {
        let command = try choice.editCommand(item.argument, to: item.output)
        var (request, isEncoded, opened) = try await maker.editRequest(item, choice)
        defer { withExtendedLifetime(opened) {} }
        let isCopy = request.settings.folder != nil
        func name(besides photo: FilePath, _ movie: FilePath) -> String? {
            guard isCopy, !choice.flags.contains(.force), FileSystem.exists(photo) || FileSystem.exists(movie) else {
                return nil
            }
            return freeName(choice.name ?? photo.stem ?? "photo") { name in
                ["JPG", "HEIC"].compactMap {
                    guard let photo = FilePath.Component("\(name).\($0)"),
                        let movie = FilePath.Component("\(name).MOV")
                    else { return nil }
                    return PublishTarget(directory: item.output, photoName: photo, movieName: movie)
                }
            }
        }
        // Existing files are no error yet.
        if let folder = request.settings.folder {
            request.settings.destination = .directory(folder, replacesExisting: true)
        }
        guard isEncoded else {
            let plan = try request.plan()
            let free = name(besides: plan.files[0], plan.files[1])
            return PlanDocument(
                command: command, start: plan.start.seconds, end: plan.end.seconds, seconds: plan.duration.seconds,
                stillSeconds: plan.stillTime.seconds, warnings: plan.notes, text: plan.reason,
                photo: "\(plan.files[0])",
                exists: free != nil, freeName: free)
        }
        let (plan, target) = try await maker.plan(of: request.conversion(isCopy ? nil : EditJournals()))
        return PlanDocument(command, plan, target, freeName: name(besides: target.photo, target.movie))
    }

    /// NAME-2, NAME-3 and so on, the first whose files do not exist.
    private func freeName(_ name: String, targets: (String) -> [PublishTarget]) -> String {
        for number in 2..<1_000 {
            let candidate = "\(name)-\(number)"
            let isFree = targets(candidate).allSatisfy { !FileSystem.exists($0.photo) && !FileSystem.exists($0.movie) }
            if isFree { return candidate }
        }
        return "\(name)-\(UInt32.random(in: 1_000 ... .max))"
    }
}

extension PlanDocument {
    fileprivate init(_ command: String, _ plan: PlanSummary, _ target: PublishTarget, freeName: String?) {
        self.init(
            command: command, start: plan.start.seconds, end: plan.end.seconds, seconds: plan.duration.seconds,
            stillSeconds: plan.stillInClip.seconds, frames: plan.frameCount, frameRate: plan.frameRate.framesPerSecond,
            movieWidth: plan.movieSize.width, movieHeight: plan.movieSize.height,
            date: plan.metadata.captureDate?.iso8601, warnings: plan.warnings,
            text: nil, photo: "\(target.photo)", exists: freeName != nil, freeName: freeName)
    }
}
