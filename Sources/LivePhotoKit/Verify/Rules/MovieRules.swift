import MediaModel

extension Rule {
    static let movieRules = [
        movieReadable, movieIdentifier, movieExtension, movieBrand, movieTables, movieWhole, movieVideo, movieCodec,
        movieCodecProfile, movieStart, classicCodec, classicSize, classicRate, modernCodec, modernSize, modernRate,
    ]

    private static let again = "Create the pair again: livephoto convert MOVIE."
    private static let relink = "Link the pair again: livephoto link PHOTO MOVIE --in-place."

    static let movieReadable = Rule(
        "movie-readable", .error, "The movie is a QuickTime movie or an MP4 whose structure can be read.",
        effect: "Photos does not import it.", remedy: "Copy or export the movie again, or convert it."
    ) { pair in
        pair.movie.fault.map { ["the movie cannot be read: \($0)"] } ?? []
    }

    static let movieIdentifier = Rule(
        "movie-identifier", .error, "The movie has a content identifier in moov/meta.",
        effect: "Photos imports the photo and the movie as two separate items, or rejects them (error -1, reported).",
        remedy: "\(relink) Programs that remux movies, such as ffmpeg, drop the identifier."
    ) { pair in
        guard let movie = pair.movie.facts, movie.contentIdentifier == nil else { return [] }
        return ["the movie has no content identifier"]
    }

    static let movieExtension = Rule(
        "movie-extension", .warning, "The movie's file name ends in .MOV.",
        effect: "Photos recognizes the movie by its extension and may reject a movie with another extension.",
        remedy: "Rename the file."
    ) { pair in
        let found = pair.movie.path.extension
        guard found?.lowercased() != "mov", pair.movie.facts != nil else { return [] }
        return ["the movie \(found.map { "is named .\($0)" } ?? "has no extension"), not .MOV"]
    }

    static let movieBrand = Rule(
        "movie-brand", .warning, "The movie's brand is that of a QuickTime movie (ftyp qt).",
        effect: "Most programs read it anyway, but some require the brand.",
        remedy: "\(relink) A movie without ftyp cannot be changed in place: use --output DIR."
    ) { pair in
        guard let movie = pair.movie.facts, !movie.isQuickTimeBrand else { return [] }
        guard let brand = movie.brand else { return ["the movie has no brand (ftyp)"] }
        return ["the movie's brand is \(quoted(brand)), not 'qt  '"]
    }

    static let movieTables = Rule(
        "movie-tables", .error, "The movie's sample tables are consistent with each other and with the file.",
        effect: "Playback stops early or does not start.", remedy: "Copy the movie from its source again."
    ) { pair in
        pair.movie.facts?.tableFaults ?? []
    }

    static let movieWhole = Rule(
        "movie-whole", .warning, "The movie is not fragmented.",
        effect: "Photos may not import it.", remedy: "Write the movie without fragments, as livephoto convert does."
    ) { pair in
        pair.movie.facts?.isFragmented == true ? ["the movie is in fragments"] : []
    }

    static let movieVideo = Rule(
        "movie-video", .error, "The movie has exactly one video track.",
        effect: "There is no video to play, or it is ambiguous which track to play.", remedy: again
    ) { pair in
        guard let count = pair.movie.facts?.videoTrackCount, count != 1 else { return [] }
        return [count == 0 ? "the movie has no video track" : "the movie has \(count) video tracks"]
    }

    static let movieCodec = Rule(
        "movie-codec", .error, "The video is H.264 or HEVC and is not encrypted.",
        effect: "Apple devices do not play it.", remedy: again
    ) { pair in
        guard let video = pair.movie.facts?.video, video.codec == .other else { return [] }
        return ["the video is \(video.codecName)"]
    }

    static let movieCodecProfile = Rule(
        "movie-codec-profile", .error,
        "The video is 4:2:0 with 8 bits, or 10 bits in HEVC, and its parameter sets are in the sample description.",
        effect: "Apple devices do not play it.", remedy: again
    ) { pair in
        guard let video = pair.movie.facts?.video, video.codec != .other,
            !video.isDecodedByDevices || !video.hasParameterSetsInPlace
        else { return [] }
        return ["the video is \(video.codecName)"]
    }

    static let movieStart = Rule(
        "movie-start", .warning, "The movie's first frame is at the start of its timeline.",
        effect: "Nothing is displayed until the first frame.", remedy: again
    ) { pair in
        guard let first = pair.movie.facts?.video?.frameTimes.first, first > .zero else { return [] }
        return ["the movie's first frame is at \(first)"]
    }

    static let classicCodec = Rule(
        "classic-codec", .error, "The video is H.264.", effect: "Devices before 2017 do not play it.", remedy: again,
        profiles: [.classic]
    ) { pair in
        guard let video = pair.movie.facts?.video, video.codec == .hevc else { return [] }
        return ["the video is \(video.codecName), not H.264"]
    }

    static let classicSize = Rule(
        "classic-size", .warning, "The movie is at most 1920x1080.", effect: "The file is larger than necessary.",
        remedy: "\(again) The preset 'classic' scales it down.", profiles: [.classic]
    ) { pair in
        guard let size = pair.movie.facts?.displaySize, size.longEdge > 1920 || size.shortEdge > 1080 else { return [] }
        return ["the movie is \(size)"]
    }

    static let classicRate = Rule(
        "classic-rate", .warning, "The movie has 12 to 15 frames per second.",
        effect: "The file is larger than necessary, or playback stutters.",
        remedy: "\(again) The preset 'classic' sets the frame rate.", profiles: [.classic]
    ) { pair in
        guard let rate = pair.movie.facts?.video?.framesPerSecond, !(11.9...15.1).contains(rate) else { return [] }
        return ["the movie has \((rate * 100).rounded() / 100) frames a second"]
    }

    static let modernCodec = Rule(
        "modern-codec", .warning, "The video is HEVC.", effect: "The file is larger than necessary.",
        remedy: "\(again) The preset 'modern' encodes HEVC.", profiles: [.modern]
    ) { pair in
        guard let video = pair.movie.facts?.video, video.codec == .h264 else { return [] }
        return ["the video is \(video.codecName), not HEVC"]
    }

    static let modernSize = Rule(
        "modern-size", .warning, "The movie is at most 1920x1440.", effect: "The file is larger than necessary.",
        remedy: "\(again) The preset 'modern' scales it down.", profiles: [.modern]
    ) { pair in
        guard let size = pair.movie.facts?.displaySize, size.longEdge > 1920 || size.shortEdge > 1440 else { return [] }
        return ["the movie is \(size)"]
    }

    static let modernRate = Rule(
        "modern-rate", .warning, "The movie has 24 to 30 frames per second.",
        effect: "Playback is less smooth than on current iPhones, or the file is larger than necessary.",
        remedy: "\(again) The preset 'modern' keeps the frames of clips from 24 to 30 frames per second.",
        profiles: [.modern]
    ) { pair in
        guard let rate = pair.movie.facts?.video?.framesPerSecond, !(23.9...30.1).contains(rate) else { return [] }
        return ["the movie has \((rate * 100).rounded() / 100) frames a second"]
    }
}
