import MediaModel
import QuickTime

/// How iOS judges a movie for the lock screen, as reported by others from a reading of its frameworks.
extension Rule {
    static let wallpaperRules = [
        wallpaperRate, wallpaperLeadIn, wallpaperSingleEdit, wallpaperInfo, wallpaperInfoSetup, wallpaperInfoTimes,
        wallpaperInfoMotion,
    ]

    private static let noMotion = "The lock screen shows no motion."
    private static let convert = "Convert the clip with livephoto convert CLIP --preset wallpaper."
    private static let lowestRate = 20.0
    /// Frames before the still; only the last 13 of them, and the still, are used.
    private static let leadIn = 14
    private static let usedFrames = 13
    /// In seconds.
    private static let tolerance = 2.01 / 600

    static let wallpaperRate = Rule(
        "wallpaper-rate", .error, "The movie has at least 20 frames a second.", effect: noMotion,
        remedy: "\(convert) Clips of fewer frames a second do not become wallpapers.", profiles: [.wallpaper]
    ) { pair in
        guard let rate = pair.movie.facts?.video?.framesPerSecond, rate > 0, rate < lowestRate - 0.01 else { return [] }
        return ["the movie has \(decimal(rate, places: 2)) frames a second, not 20"]
    }

    static let wallpaperLeadIn = Rule(
        "wallpaper-lead-in", .error, "At least 14 frames precede the still time.", effect: noMotion,
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place, with a later --still TIME.",
        profiles: [.wallpaper]
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
        remedy: convert, profiles: [.wallpaper]
    ) { pair in
        guard let edits = pair.movie.facts?.videoEdits, edits > 1 else { return [] }
        return ["the video's edit list has \(edits) entries"]
    }

    static let wallpaperInfo = Rule(
        "wallpaper-info", .error, "The movie has a live-photo-info track.", effect: noMotion,
        remedy: "\(convert) Apple's cameras write one too.", profiles: [.wallpaper]
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
        remedy: convert, profiles: [.wallpaper]
    ) { pair in
        guard let setup = pair.livePhotoInfo.map(\.setup) else { return [] }
        let lacking = [
            setup?.configuration?.isEmpty == false ? nil : "a version (cfgv)",
            setup?.dimensions.map { $0.shortEdge > 0 } == true ? nil : "a picture size (dims)",
        ].compactMap(\.self)
        return lacking.isEmpty ? [] : ["the live-photo-info track lacks \(lacking.joined(separator: " and "))"]
    }

    static let wallpaperInfoTimes = Rule(
        "wallpaper-info-times", .error, "Each frame has a live-photo-info record at its time, to 1/300 s.",
        effect: noMotion, remedy: convert, profiles: [.wallpaper]
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
        effect: noMotion, remedy: convert, profiles: [.wallpaper]
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
