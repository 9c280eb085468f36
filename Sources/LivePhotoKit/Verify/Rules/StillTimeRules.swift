import MediaModel

extension Rule {
    static let stillTimeRules = [
        metadataTrackIntact, stillTimePresent, stillTimeSingle, stillTimeType, stillTimeValue, stillTimeInside,
        stillTimeOnFrame, stillTimeTrackDuration,
    ]

    private static let again = "Link the pair again: livephoto link PHOTO MOVIE --in-place, with --still TIME."

    static let metadataTrackIntact = Rule(
        "metadata-track-intact", .error, "Every timed metadata track still describes its samples.",
        effect: "The still time is lost, and usually the content identifier too.",
        remedy: "\(again) Copy movies as files: ffmpeg -c copy silently damages such tracks."
    ) { pair in
        (pair.movie.facts?.strippedMetadataTracks ?? []).map { id in
            "track \(id) is timed metadata without its sample description, as written by ffmpeg -c copy"
        }
    }

    static let stillTimePresent = Rule(
        "still-time-present", .error, "The movie has a still time (a still-image-time track).",
        effect:
            "The pair plays on a Mac, and is a plain photo on an iPhone that gets it through iCloud (reported).",
        remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, movie.strippedMetadataTracks.isEmpty, movie.stillTime == nil else {
            return []
        }
        guard let still = movie.stills.first else { return ["the movie has no still image time"] }
        if let problem = still.problem { return ["the still-image-time track cannot be read: \(problem)"] }
        return [
            still.sampleCount == 0
                ? "the still-image-time track has no sample" : "no sample of the still-image-time track has a value"
        ]
    }

    static let stillTimeSingle = Rule(
        "still-time-single", .warning, "There is exactly one still-image-time track, with one sample.",
        effect: "It is ambiguous which still time applies.", remedy: again
    ) { pair in
        // Without a still time, this is said by another rule.
        guard let movie = pair.movie.facts, movie.stillTime != nil else { return [] }
        let stills = movie.stills
        if stills.count > 1 { return ["the movie has \(stills.count) still-image-time tracks"] }
        guard let still = stills.first, still.sampleCount != 1 else { return [] }
        return ["the still-image-time track has \(still.sampleCount) samples"]
    }

    static let stillTimeType = Rule(
        "still-time-type", .warning,
        "The value of the still-image-time sample is an 8-bit integer (well-known type 65).",
        effect: "Programs that read the value may not find it.", remedy: again
    ) { pair in
        guard let still = pair.movie.facts?.still, still.problem == nil, !still.isInt8 else { return [] }
        return ["the still image time is of type \(still.typeName), not int8"]
    }

    static let stillTimeValue = Rule(
        "still-time-value", .error, "The value of the still-image-time sample is -1 (one byte, FF).",
        effect: "Photos uses the sample's time, but other programs look for this value and do not find the still.",
        remedy: again
    ) { pair in
        guard let still = pair.movie.facts?.still, still.time != nil, still.value != [0xFF] else { return [] }
        return ["the still image time's value is \(still.valueText), not -1"]
    }

    static let stillTimeInside = Rule(
        "still-time-inside", .error, "The still time is within the movie.",
        effect: "Photos does not know the still time.", remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let end = movie.video?.end,
            time < .zero || time >= end
        else { return [] }
        return ["the still image time \(time) is not within the movie, which ends at \(end)"]
    }

    static let stillTimeOnFrame = Rule(
        "still-time-on-frame", .note, "A frame of the movie is at the still time.",
        effect: "The photo differs a little from the frame it changes into. Some iPhones write such times.",
        remedy: "None is needed for what a camera wrote. Otherwise: livephoto edit PHOTO --still TIME --in-place."
    ) { pair in
        guard let movie = pair.movie.facts, let time = movie.stillTime, let video = movie.video, time >= .zero,
            time < video.end,
            let nearest = video.frameTimes.min(by: { abs($0.seconds - time.seconds) < abs($1.seconds - time.seconds) }),
            abs(nearest.seconds - time.seconds) > tolerance
        else { return [] }
        return ["the still image time \(time) is between two frames; the nearest is at \(nearest)"]
    }

    /// Rounding to ticks of 1/600 s, in seconds.
    private static let tolerance = 1.01 / 600

    static let stillTimeTrackDuration = Rule(
        "still-time-track-duration", .warning, "The still-image-time track ends one tick after the still time.",
        effect: "Programs that derive the still time from the track's duration get a wrong one.", remedy: again
    ) { pair in
        guard let movie = pair.movie.facts, let still = movie.still, let time = movie.stillTime,
            let duration = still.trackDuration, abs(duration.seconds - time.seconds) > 2.01 / Double(movie.timescale)
        else { return [] }
        return ["the still-image-time track lasts \(duration), and the still time is \(time)"]
    }
}
