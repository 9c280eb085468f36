import MediaModel

extension Rule {
    static let stillTimeRules = [
        metadataTrackIntact, stillTimePresent, stillTimeSingle, stillTimeType, stillTimeValue, stillTimeInside,
        stillTimeOnFrame, stillTimeTrackDuration, wallpaperInfo, wallpaperLeadIn,
    ]

    private static let again = "Link the pair again: livephoto link PHOTO MOVIE --in-place, with --still TIME."

    static let metadataTrackIntact = Rule(
        "metadata-track-intact", .error, "Every timed metadata track still says what its samples are.",
        effect: "The still image time is lost; with it, most often, the content identifier.",
        remedy: "\(again) Copy movies as files: ffmpeg -c copy cannot carry such a track, and does not say so."
    ) { pair in
        (pair.movie.facts?.strippedMetadataTracks ?? []).map { id in
            "track \(id) was timed metadata and has lost what described it, as in movies that ffmpeg -c copy wrote"
        }
    }

    static let stillTimePresent = Rule(
        "still-time-present", .warning, "The movie says when its still was taken (a still-image-time track).",
        effect: "Photos takes the pair, but does not know where the still sits: the picture jumps when it plays.",
        remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, movie.strippedMetadataTracks.isEmpty,
            movie.stills.allSatisfy({ $0.time == nil && $0.problem == nil && $0.sampleCount == 1 })
        else { return [] }
        return [
            movie.stills.isEmpty
                ? "the movie has no still image time" : "the sample of the still-image-time track does not say it"
        ]
    }

    static let stillTimeSingle = Rule(
        "still-time-single", .warning, "There is one still-image-time track, with one sample.",
        effect: "Which of the times counts is not certain.", remedy: again
    ) { pair in
        let stills = pair.movie.facts?.stills ?? []
        if stills.count > 1 { return ["the movie has \(stills.count) still-image-time tracks"] }
        if let problem = stills.first?.problem { return ["the still-image-time track cannot be read: \(problem)"] }
        guard let still = stills.first, still.sampleCount != 1 else { return [] }
        return ["the still-image-time track has \(still.sampleCount) samples"]
    }

    static let stillTimeType = Rule(
        "still-time-type", .warning, "The still image time is an 8-bit integer (type 65 of Apple's well-known types).",
        effect: "Programs that read the value may not find it.", remedy: again
    ) { pair in
        guard let still = pair.movie.facts?.stills.first, still.problem == nil, !still.isInt8 else { return [] }
        return ["the still image time is of type \(still.typeName), not int8"]
    }

    static let stillTimeValue = Rule(
        "still-time-value", .error, "The still image time's value is -1 (one byte FF).",
        effect: "Photos goes by the sample's time, but other programs find the still by the value and lose it.",
        remedy: again
    ) { pair in
        guard let still = pair.movie.facts?.stills.first, still.time != nil, still.value != [0xFF] else { return [] }
        return ["the still image time's value is \(still.valueText), not -1"]
    }

    static let stillTimeInside = Rule(
        "still-time-inside", .error, "The still image time lies within the movie.",
        effect: "Photos does not know where the still sits.", remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let end = movie.video?.end,
            time < .zero || time >= end
        else { return [] }
        return ["the still image time \(time) is not within the movie, which ends at \(end)"]
    }

    static let stillTimeOnFrame = Rule(
        "still-time-on-frame", .warning, "At the still image time stands a frame of the movie.",
        effect: "The photo differs from the frame that it changes into: a small jump.", remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let video = movie.video, time >= .zero,
            time < video.end,
            let nearest = video.frameTimes.min(by: { abs($0.seconds - time.seconds) < abs($1.seconds - time.seconds) }),
            abs(nearest.seconds - time.seconds) > tolerance
        else { return [] }
        return ["the still image time \(time) is between two frames; the nearest stands at \(nearest)"]
    }

    /// Movies keep times in ticks of 1/600 s.
    private static let tolerance = 1.01 / 600

    static let stillTimeTrackDuration = Rule(
        "still-time-track-duration", .warning, "The still-image-time track lasts until one tick after the still.",
        effect: "Programs that take the still's time from the track's duration find another one.", remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, let still = movie.stills.first, let time = movie.stillTime,
            let duration = still.trackDuration, abs(duration.seconds - time.seconds) > 2.01 / Double(movie.timescale)
        else { return [] }
        return ["the still-image-time track lasts \(duration), and the still stands at \(time)"]
    }

    static let wallpaperInfo = Rule(
        "wallpaper-info", .error, "The movie has a live-photo-info track.", effect: "The lock screen shows no motion.",
        remedy: "Only Apple's cameras and some apps write one.", profiles: [.wallpaper]
    ) { pair in
        pair.movie.facts?.hasLivePhotoInfo == false ? ["the movie has no live-photo-info track"] : []
    }

    private static let leadIn = 14

    static let wallpaperLeadIn = Rule(
        "wallpaper-lead-in", .error, "At least 14 frames stand before the still.",
        effect: "The lock screen shows no motion.", remedy: "\(again) Leave more before the still.",
        profiles: [.wallpaper]
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let times = movie.video?.frameTimes else {
            return []
        }
        let before = times.count { $0 < time }
        return before < leadIn ? ["only \(before) frames stand before the still, not \(leadIn)"] : []
    }
}
