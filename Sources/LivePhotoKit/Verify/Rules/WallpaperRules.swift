import MediaModel
import QuickTime

/// How iOS judges a movie for the lock screen, as reported by others: readings of its frameworks, and what moved on their
/// devices. What some of their movies lacked that moved is a warning.
extension Rule {
    static let wallpaperRules = [
        wallpaperRate, wallpaperFullRate, wallpaperLeadIn, wallpaperStill, wallpaperLength, wallpaperSingleEdit,
        wallpaperCodec,
        wallpaperSize, wallpaperLongEdge, wallpaperTransform, wallpaperVitality, wallpaperLoop, wallpaperInfo,
        wallpaperInfoSetup, wallpaperInfoTimes, wallpaperInfoMotion, wallpaperSteadiness,
    ]

    private static let noMotion = "The lock screen shows no motion."
    private static let mayNotMove = "The lock screen may show no motion."
    private static let convert = "Convert the clip with livephoto convert CLIP --preset wallpaper."
    /// Who says which Live Photos moved on which device, and which did not; and readings of iOS, of which no address can be given.
    private enum Source {
        static let reading = "a reading of iOS that has no address"
        static let videoToLive = "https://github.com/victorsodre/video-to-live"
        static let batch = "https://github.com/pudding0503/live-photo-batch"
        static let faceLift = "https://github.com/deluxebear/FaceLift"
        static let video2LivePhoto = "https://github.com/TouSC/Video2LivePhoto/issues/2"
        static let blossom = "https://github.com/inyourwalls/Blossom/issues/3"
        static let goLive = "https://github.com/code-path/goLive"
        static let check = "https://github.com/stoffis-git/livephoto-check"
        static let makelive = "https://github.com/RhetTbull/makelive/issues/20"
    }
    private static let lowestRate = 20.0
    /// Frames before the still; only the last 13 of them, and the still, are used.
    private static let leadIn = 14
    private static let usedFrames = 13
    private static let fullRate = 60.0
    /// iOS is reported to sort larger pictures among those of 4K.
    private static let largestEdge = 2208
    /// In seconds.
    private static let tolerance = 2.01 / 600

    static let wallpaperRate = Rule(
        "wallpaper-rate", .error, "The movie has at least 20 frames a second.", effect: noMotion,
        remedy: "\(convert) --fps 48-60 --repeat-frames shows the frames of slower clips several times.",
        profiles: [.wallpaper],
        sources: [Source.reading]
    ) { pair in
        guard let rate = pair.movie.facts?.video?.framesPerSecond, rate > 0, rate < lowestRate - 0.01 else { return [] }
        return ["the movie has \(decimal(rate, places: 2)) frames a second, not 20"]
    }

    static let wallpaperLeadIn = Rule(
        "wallpaper-lead-in", .error, "At least 14 frames precede the still time.", effect: noMotion,
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place, with a later --still TIME.",
        profiles: [.wallpaper], sources: [Source.reading, Source.video2LivePhoto]
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let times = movie.video?.frameTimes else {
            return []
        }
        let before = times.count { $0 < time }
        let frames = counted(before, "frame precedes", plural: "frames precede")
        return before < leadIn ? ["only \(frames) the still time, not \(leadIn)"] : []
    }

    static let wallpaperSingleEdit = Rule(
        "wallpaper-single-edit", .error, "The video's edit list has one entry at most.", effect: noMotion,
        remedy: convert, profiles: [.wallpaper], sources: [Source.reading]
    ) { pair in
        guard let edits = pair.movie.facts?.videoEdits, edits > 1 else { return [] }
        return ["the video's edit list has \(edits) entries"]
    }

    static let wallpaperFullRate = Rule(
        "wallpaper-full-rate", .warning, "The movie has 60 frames a second.", effect: mayNotMove,
        remedy:
            "Convert a clip that has them, or show frames twice: livephoto convert CLIP --preset wallpaper --fps 48-60 "
            + "--repeat-frames.",
        profiles: [.wallpaper], sources: [Source.batch, Source.videoToLive]
    ) { pair in
        guard let rate = pair.movie.facts?.video?.framesPerSecond, rate >= lowestRate - 0.01, rate < fullRate * 0.95
        else {
            return []
        }
        return ["the movie has \(decimal(rate, places: 2)) frames a second, not 60"]
    }

    static let wallpaperStill = Rule(
        "wallpaper-still", .warning, "The still time is 0.5 s after the start or later.", effect: mayNotMove,
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place, with a later --still TIME.",
        profiles: [.wallpaper], sources: [Source.video2LivePhoto, Source.videoToLive]
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, time.seconds < 0.499,
            movie.video?.frameTimes.count(where: { $0 < time }) ?? 0 >= leadIn
        else { return [] }
        return ["the still time is \(time)"]
    }

    static let wallpaperLength = Rule(
        "wallpaper-length", .warning, "The movie is shorter than 3 s.", effect: mayNotMove,
        remedy: "\(convert) It makes 1.8 s.", profiles: [.wallpaper], sources: [Source.videoToLive, Source.blossom]
    ) { pair in
        guard let end = pair.movie.facts?.video?.end, end.seconds >= 2.99 else { return [] }
        return ["the movie lasts \(end)"]
    }

    static let wallpaperCodec = Rule(
        "wallpaper-codec", .warning, "The video is HEVC (hvc1).", effect: mayNotMove, remedy: convert,
        profiles: [.wallpaper], sources: [Source.videoToLive, Source.check]
    ) { pair in
        guard let video = pair.movie.facts?.video, video.codec == .h264 else { return [] }
        return ["the video is \(video.codecName)"]
    }

    static let wallpaperSize = Rule(
        "wallpaper-size", .error, "The long edge of the movie's pictures is at most 2208 pixels.", effect: noMotion,
        remedy: convert, profiles: [.wallpaper],
        sources: [Source.faceLift, Source.videoToLive, Source.video2LivePhoto, Source.reading]
    ) { pair in
        guard let size = pair.movie.facts?.displaySize, size.longEdge > largestEdge else { return [] }
        return ["the movie is \(size)"]
    }

    static let wallpaperLongEdge = Rule(
        "wallpaper-long-edge", .warning, "The long edge of the movie's pictures is at most 1920 pixels.",
        effect: mayNotMove,
        remedy: convert, profiles: [.wallpaper], sources: [Source.reading, Source.video2LivePhoto]
    ) { pair in
        guard let size = pair.movie.facts?.displaySize, 1921...largestEdge ~= size.longEdge else { return [] }
        return ["the movie is \(size)"]
    }

    static let wallpaperTransform = Rule(
        "wallpaper-transform", .warning,
        "The still time has the transform from the frame to the photo, with its reference dimensions.",
        effect: mayNotMove,
        remedy: convert, profiles: [.wallpaper], sources: [Source.faceLift, Source.goLive]
    ) { pair in
        guard let movie = pair.movie.facts, movie.stillTime != nil, movie.stillTransform == nil else { return [] }
        return ["the still time has no transform with reference dimensions"]
    }

    static let wallpaperVitality = Rule(
        "wallpaper-vitality", .warning,
        "The movie is marked to be played by itself (live-photo.auto 1), with a vitality score of 0.5 or more and its version.",
        effect: mayNotMove, remedy: convert, profiles: [.wallpaper], sources: [Source.goLive, Source.check]
    ) { pair in
        guard let movie = pair.movie.facts else { return [] }
        let lacking = [
            movie.autoplay == 1 ? nil : "live-photo.auto 1",
            movie.vitalityScore.map { $0 >= 0.5 } == true ? nil : "a live-photo.vitality-score of 0.5 or more",
            movie.vitalityScoringVersion == nil ? "a live-photo.vitality-scoring-version" : nil,
        ].compactMap(\.self)
        return lacking.isEmpty ? [] : ["the movie lacks \(lacking.joined(separator: " and "))"]
    }

    static let wallpaperLoop = Rule(
        "wallpaper-loop", .error, "The movie's user data do not make it a loop (LOOP).",
        effect: "Photos does not take the pair.",
        remedy: convert, profiles: [.wallpaper], sources: [Source.reading]
    ) { pair in
        pair.movie.facts?.isLooped == true ? ["the movie's user data make it a loop (udta/LOOP)"] : []
    }

    static let wallpaperSteadiness = Rule(
        "wallpaper-steadiness", .warning,
        "Little of the picture moves at its edges and on the whole, as in Live Photos that are reported to move (checked with "
            + "--pixels).",
        effect: "The lock screen may show no motion: iOS is reported to judge the pictures too.",
        remedy: "Convert the clip with --stabilize, or at a calmer moment: --still auto.",
        profiles: [.wallpaper], sources: [Source.check]
    ) { pair in
        switch pair.steadiness {
        case .success(let steadiness)?: steadiness.problems
        case .failure(let error)?: ["the motion of its pictures cannot be measured: \(error.reason)"]
        case nil: []
        }
    }

    static let wallpaperInfo = Rule(
        "wallpaper-info", .error, "The movie has a live-photo-info track.", effect: noMotion,
        remedy: "\(convert) Apple's cameras write one too.", profiles: [.wallpaper],
        sources: [Source.faceLift, Source.makelive, Source.check]
    ) { pair in
        switch pair.movie.facts?.livePhotoInfo {
        case .missing: ["the movie has no live-photo-info track"]
        case .unreadable(let error): ["the live-photo-info track cannot be read: \(error)"]
        case .records, .notRead, nil: []
        }
    }

    static let wallpaperInfoSetup = Rule(
        "wallpaper-info-setup", .error,
        "The live-photo-info track states its version (cfgv) and the size of the pictures (dims).", effect: noMotion,
        remedy: convert, profiles: [.wallpaper], sources: [Source.reading]
    ) { pair in
        guard let setup = pair.livePhotoInfo.map(\.setup) else { return [] }
        let lacking = [
            setup?.configuration?.isEmpty == false ? nil : "a version (cfgv)",
            setup?.dimensions.map { $0.shortEdge > 0 } == true ? nil : "a picture size (dims)",
        ].compactMap(\.self)
        return lacking.isEmpty ? [] : ["the live-photo-info track lacks \(lacking.joined(separator: " and "))"]
    }

    static let wallpaperInfoTimes = Rule(
        "wallpaper-info-times", .warning, "Each frame has a live-photo-info record at its time, to 1/300 s.",
        effect: mayNotMove, remedy: convert, profiles: [.wallpaper], sources: [Source.reading]
    ) { pair in
        guard let records = pair.livePhotoInfo?.records, let frames = pair.movie.facts?.video?.frameTimes else {
            return []
        }
        guard records.count == frames.count else {
            return [
                "the movie has \(counted(frames.count, "frame")) and \(counted(records.count, "live-photo-info record"))"
            ]
        }
        let wrong = zip(records, frames).first { abs($0.time.seconds - $1.seconds) > tolerance }
        return wrong.map { ["the live-photo-info record of the frame at \($1) is at \($0.time)"] } ?? []
    }

    static let wallpaperInfoMotion = Rule(
        "wallpaper-info-motion", .error,
        "The live-photo-info records of the still and of the 13 frames before it have a homography and a blur vector.",
        effect: noMotion, remedy: convert, profiles: [.wallpaper], sources: [Source.reading]
    ) { pair in
        guard let records = pair.livePhotoInfo?.records, let still = pair.movie.facts?.stillTime else { return [] }
        let used = records.filter { $0.time.seconds <= still.seconds + tolerance }.suffix(usedFrames + 1)
        for record in used {
            let lacking =
                record.info.map { info in
                    [
                        info.validMotion.contains(.homography) ? nil : "homography",
                        info.validValues.contains(.blur) ? nil : "blur vector",
                    ].compactMap(\.self)
                } ?? ["known version"]
            guard lacking.isEmpty else {
                return ["the live-photo-info record at \(record.time) has no \(lacking.joined(separator: " and "))"]
            }
        }
        return []
    }
}

extension PairFacts {
    fileprivate var livePhotoInfo: LivePhotoInfoRecords? {
        if case .records(let records) = movie.facts?.livePhotoInfo { records } else { nil }
    }
}
