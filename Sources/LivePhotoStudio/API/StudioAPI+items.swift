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
            var body = ResponseBody()
            body.append(0..<sound.size) { sound }
            var response = Response(type: "audio/mp4", body)
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
            let request = try StudioChoice().requests(of: opened.movie, to: item.output, maker.presets)[0]
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
        let requests = try choice.requests(of: try await media.open(item.id).movie, to: item.output, maker.presets)
        let command = try choice.convertCommand(item.argument, to: item.output, maker.presets)
        let (plan, target) = try await maker.plan(of: requests[0])
        let isTaken = try await maker.isTaken(requests)
        return PlanDocument(
            command, plan, target,
            freeName: isTaken ? Self.freeName(choice.name ?? target.movieName.base.string, in: target.directory) : nil)
    }

    private func editPlan(of item: StudioItem, _ choice: StudioChoice) async throws -> PlanDocument {
        let command = try choice.editCommand(item.argument, to: item.output)
        let (request, isEncoded, opened) = try await maker.editRequest(item, choice)
        defer { withExtendedLifetime(opened) {} }
        guard isEncoded else {
            let plan = try await BlockingWork.run { _ in try request.plan() }
            return PlanDocument(
                command: command, start: plan.start.seconds, end: plan.end.seconds,
                stillSeconds: plan.stillTime.seconds, warnings: plan.notes, text: plan.reason,
                photo: "\(plan.files[0])",
                exists: false, freeName: nil)
        }
        let conversion = try await BlockingWork.run { _ in
            try request.conversion(choice.flags.contains(.inPlace) ? EditJournals() : nil)
        }
        let (plan, target) = try await maker.plan(of: conversion)
        let isTaken = !choice.flags.contains(.inPlace) && FileSystem.exists(target.photo)
        return PlanDocument(
            command, plan, target,
            freeName: isTaken ? Self.freeName(choice.name ?? target.photoName.base.string, in: target.directory) : nil)
    }

    /// NAME-2, NAME-3 and so on, the first that no photo or movie has.
    private static func freeName(_ name: String, in folder: FilePath) -> String {
        for number in 2..<1_000 {
            let candidate = "\(name)-\(number)"
            let isFree = ["JPG", "HEIC", "MOV"].allSatisfy {
                !FileSystem.exists(folder.appending("\(candidate).\($0)"))
            }
            if isFree { return candidate }
        }
        return "\(name)-\(UInt32.random(in: 1_000 ... .max))"
    }
}

extension PlanDocument {
    fileprivate init(_ command: String, _ plan: PlanSummary, _ target: PublishTarget, freeName: String?) {
        self.init(
            command: command, start: plan.start.seconds, end: plan.start.seconds + plan.duration.seconds,
            stillSeconds: plan.stillInClip.seconds, frames: plan.frameCount, frameRate: plan.frameRate.framesPerSecond,
            movieWidth: plan.movieSize.width, movieHeight: plan.movieSize.height, photoWidth: plan.photoSize.width,
            photoHeight: plan.photoSize.height, date: plan.metadata.captureDate?.iso8601, warnings: plan.warnings,
            text: nil, photo: "\(target.photo)", exists: freeName != nil, freeName: freeName)
    }
}
