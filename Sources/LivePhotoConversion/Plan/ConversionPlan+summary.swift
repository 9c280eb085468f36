import FFmpegKit
package import LivePhotoRequests
import MediaModel

extension ConversionPlan {
    /// The part of the plan that is shown to users.
    package var summary: PlanSummary { summary(with: []) }

    /// - Parameter found: warnings in addition to the plan's.
    func summary(with found: [String]) -> PlanSummary {
        PlanSummary(
            clipDuration: span.end, contentIdentifier: work.contentIdentifier, start: firstShown,
            end: decoding.window.end, stillInClip: stillInClip,
            stillTime: stillTime, duration: duration, frameCount: frameCount, frameRate: frameRate,
            clipFrameRate: decoding.clipFrameRate, keepsMovie: work.isEdit ? work.keepsMovie : nil,
            isToneMapped: isToneMapped, keepsHDR: keepsHDR,
            hasGainMap: hasGainMap, movieSize: movieSize, photoSize: photoSize, metadata: metadata.written,
            captureDateSource: metadata.dateSource, stillCandidates: survey.stillCandidates,
            warnings: warnings + found, text: text, filters: filterNames)
    }

    private var text: String {
        let frames = counted(frameCount, "frame")
        let ownStill =
            decoding.window.isOwnStill
            ? ", the still time of this Live Photo's movie" : survey.stillCandidates.isEmpty ? "" : ", the best frame"
        let lines = [
            ("clip", "\(clip), \(span.end)"),
            ("edit", editText),
            ("requested", requestedText),
            ("movie", "\(movieSize), \(frames) at \(frameRate), \(duration), from \(firstShown) of the clip"),
            ("still", "\(stillTime) in the movie, \(stillInClip) in the clip\(ownStill)"),
        ]
        let others = [
            ("photo", photoText),
            ("effect", effectText),
            (
                "video",
                work.keepsMovie ? "" : "\(encoderText) \(encoder.preset), CRF \(decimal(encoder.crf, places: 2))"
            ),
            ("motion", livePhotoInfo == .omitted ? "" : "\(livePhotoInfo), in a live-photo-info track"),
            // Most clips in a pixel format with alpha are opaque.
            (
                "background",
                decoding.picture.pixelFormat.hasAlpha ? "\(pictures.background) (where the clip is transparent)" : ""
            ),
            ("audio", work.keepsMovie ? "" : "\(audio)"),
            ("shot", "\(metadata.written)"),
            ("date", dateText),
            ("identifier", work.contentIdentifier.map { "\($0)" } ?? "a new one"),
        ]
        let candidates = survey.stillCandidates.map { ("candidate", "\($0)") }
        return (lines + candidates + others).filter { !$0.1.isEmpty }.map { "\($0): \(printable($1))" }.joined(
            separator: "\n")
    }

    /// The times and durations that were requested, as they were written: `still 1:30, duration 2`.
    private var requestedText: String {
        Setting.all.filter { $0.section == Setting.still.section }.compactMap { setting in
            work.requestedTimes[setting.key].map { "\(setting.key) \($0)" }
        }.joined(separator: ", ")
    }

    private var encoderText: String {
        switch encoder.codec {
        case .h264: "H.264 High, x264"
        case .hevc:
            keepsHDR ? "HEVC Main 10 in \(encoder.color.transfer == 18 ? "HLG" : "PQ"), x265" : "HEVC Main, x265"
        }
    }

    /// `loop of 0.4 s to 2.8 s of the clip, the last 0.3 s fade into the start; 2 times as fast`
    private var effectText: String {
        var parts: [String] = []
        let entries = schedule.entries
        switch motion.effect {
        case .loop:
            let shown = frames.items.map(\.index)
            let fades = frames.items.filter { $0.fade != nil }
            let (first, last) = (entries[shown[0]].source, entries[shown[shown.count - 1]].source)
            parts.append("loop of the frames from \(first) to \(last) of the clip")
            if let fade = fades.first { parts.append("a crossfade of \(duration - fade.time) at the end") }
        case .bounce: parts.append("bounce, \(frames.turn) frames forward and \(frameCount - frames.turn) backward")
        case .longExposure: parts.append("the photo is the mean of \(counted(entries.count, "frame"))")
        case nil: break
        }
        if let speed = motion.speed, speed.percent != 100 { parts.append("\(speed) times as fast") }
        if let zoom = survey.steadying?.map(\.zoom).max() {
            parts.append("steadied, enlarged by \(decimal((zoom - 1) * 100, places: 0)) %")
        }
        return parts.joined(separator: ", ")
    }

    private var dateText: String {
        metadata.dateSource?.description(isDayOnly: metadata.isDayOnly) ?? "none"
    }

    private var editText: String {
        guard work.isEdit else { return "" }
        if work.keepsMovie {
            let photo = photo.keepsPicture ? "its metadata" : "its picture"
            return "the movie's pictures and sound are kept bit for bit; of the photo, only \(photo) changes"
        }
        if photo.keepsPicture {
            return "the movie is encoded again, because the edit changes its pictures, sound or start"
        }
        return "photo and movie are encoded again, because the edit changes their pictures"
    }

    private var photoText: String {
        switch photo {
        case .frame(let size):
            "\(size), \(work.preset.photo.format == .heic ? "HEIC" : "JPEG") quality \(photoQuality)"
                + (hasGainMap ? ", SDR with a gain map for HDR" : "")
        case .userPhoto(let photo, _, _):
            "\(photo.path), \(photo.size), "
                + (photo.isKept
                    ? "unchanged except for its metadata"
                    : "\(photo.becomesHEIC ? "HEIC" : "JPEG") quality \(photoQuality)")
        }
    }

    private var filterNames: String {
        let names = [decoding.picture.isInterlaced ? "deinterlace" : "", pictures.movie.description].filter {
            !$0.isEmpty
        }
        return names.isEmpty ? "none" : names.joined(separator: ",")
    }
}
