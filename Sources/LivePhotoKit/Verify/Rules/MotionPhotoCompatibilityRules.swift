import MediaModel
import StillImage

/// What only some programs and phones read.
extension Rule {
    static let motionPhotoCompatibilityRules = [
        motionPhotoType, motionPhotoTracks, motionPhotoSound, motionPhotoTime, motionPhotoTimeOnFrame,
        motionPhotoPadding,
        motionPhotoPlace, motionPhotoJPEG, motionPhotoMicroVideo, motionPhotoNames, motionPhotoIdentifier,
        motionPhotoPictures, motionPhotoName,
    ]

    private static let again = "Extract the Live Photo and pack it again: livephoto extract, livephoto pack."

    static let motionPhotoType = Rule(
        motionPhoto: "motion-photo-type", .warning,
        "The movie is an MP4, and the types in the directory are video/mp4 and that of the photo.",
        effect: "Google's checker and apps with androidx media3 before 1.9 do not find a QuickTime movie.",
        remedy: again
    ) { file in
        var messages: [String] = []
        if let item = file.items?.first, item.semantic == "Primary" {
            let types: [FileText] =
                file.photo.format == .jpeg ? ["image/jpeg"] : ["image/heic", "image/heif", "image/avif"]
            let found = item.mime ?? ""
            if !types.contains(found) {
                messages.append("the type of the photo is given as \(quoted(found)), not \(types[0])")
            }
        }
        if let item = file.movieItem, item.mime != "video/mp4" {
            messages.append("the type of the movie is given as \(quoted(item.mime ?? "")), not video/mp4")
        }
        if file.playableMovie?.isQuickTime == true { messages.append("the movie is a QuickTime movie, not an MP4") }
        return messages
    }

    static let motionPhotoTracks = Rule(
        motionPhoto: "motion-photo-tracks", .warning, "The movie has one video track.",
        effect: "Programs may show another track than the phone, which plays the first one that is enabled.",
        remedy: "\(again) One video track is kept."
    ) { file in
        guard let count = file.playableMovie?.videoTrackCount, count > 1 else { return [] }
        return ["the movie has \(count) video tracks"]
    }

    static let motionPhotoSound = Rule(
        motionPhoto: "motion-photo-sound", .warning, "The movie's sound is AAC-LC at 44.1, 48 or 96 kHz.",
        effect: "Phones may play the movie without sound or not at all.", remedy: again
    ) { file in
        (file.playableMovie?.sounds ?? []).filter { !$0.isSupported }.map { "the movie's sound is \($0.name)" }
    }

    static let motionPhotoTime = Rule(
        motionPhoto: "motion-photo-time", .warning, "MotionPhotoPresentationTimestampUs is a time within the movie.",
        effect: "Programs show the movie without a smooth change to the photo, or do not accept the file.",
        remedy: "Extract the Live Photo, set its still time with livephoto link --still, and pack it again."
    ) { file in
        guard let xmp = file.xmp else { return [] }
        guard let value = xmp.camera("MotionPhotoPresentationTimestampUs") else {
            return ["XMP has no MotionPhotoPresentationTimestampUs"]
        }
        let text = value.text ?? ""
        if text == "-1" { return ["MotionPhotoPresentationTimestampUs is -1: the still time is unknown"] }
        guard MotionPhotoDescription.number(text) != nil else {
            return ["MotionPhotoPresentationTimestampUs is \(quoted(text)), not a number of microseconds"]
        }
        guard let time = file.stillTime, let end = file.playableMovie?.moments.end, time > end else { return [] }
        return ["the still time \(time) is not within the movie, which ends at \(end)"]
    }

    /// Microseconds, and cameras' rounding to milliseconds.
    private static let tolerance = 0.002

    static let motionPhotoTimeOnFrame = Rule(
        motionPhoto: "motion-photo-time-on-frame", .note, "A frame of the movie is at the still time.",
        effect: "The photo differs from the frame it changes into, a small jump.", remedy: again
    ) { file in
        guard let moments = file.playableMovie?.moments, let time = file.stillTime, time <= moments.end else {
            return []
        }
        let nearest = moments.frame(nearest: time)
        guard abs(nearest.seconds - time.seconds) > tolerance else { return [] }
        return ["the still time \(time) is between two frames; the nearest is at \(nearest)"]
    }

    static let motionPhotoPadding = Rule(
        motionPhoto: "motion-photo-padding", .warning,
        "Padding is given for the photo alone: for a HEIC or AVIF the size of mpvd's header; for a JPEG it is not 0.",
        effect: "Strict readers reject a padding of 0 and the padding of another item, or look in the wrong place.",
        remedy: again
    ) { file in
        guard let items = file.items, let first = items.first, let description = try? file.description.get() else {
            return []
        }
        var messages = items.dropFirst().compactMap { item in
            item.padding.map { "\(item.semantic ?? "an item") has a padding of \(quoted($0))" }
        }
        if let box = description.box {
            let size = box.headerSize
            if first.padding != "\(size)" {
                messages.append(
                    "the padding is \(first.padding.map(quoted) ?? "missing"), and the header has \(size) bytes")
            }
        } else if let padding = first.padding, MotionPhotoDescription.number(padding) ?? 0 == 0 {
            messages.append("the photo has a padding of \(quoted(padding))")
        }
        return messages
    }

    static let motionPhotoPlace = Rule(
        motionPhoto: "motion-photo-place", .warning, "In a JPEG, the movie begins where the listed pictures end.",
        effect: "Readers that add up the lengths of the items do not find the movie.", remedy: again
    ) { file in
        guard let description = try? file.description.get(), let pictureEnd = description.pictureEnd,
            let items = file.items, let first = items.first, let video = file.video
        else { return [] }
        // Lengths that are no sizes of parts of the file do not add up.
        let sizes = items.dropFirst().dropLast().map { $0.length ?? 0 } + [first.padding?.integer ?? 0]
        guard sizes.allSatisfy({ (0...file.fileSize).contains($0) }) else {
            return ["an item has an impossible length"]
        }
        let end = pictureEnd + sizes.reduce(0, +)
        return end == video.range.lowerBound
            ? [] : ["the pictures end at byte \(end), and the movie begins at byte \(video.range.lowerBound)"]
    }

    static let motionPhotoJPEG = Rule(
        motionPhoto: "motion-photo-jpeg", .warning, "The photo is a JPEG.",
        effect: "Most phones that are not Samsung's show a HEIC or AVIF without motion (reported).",
        remedy: "Pack the Live Photo with a JPEG as its photo."
    ) { file in
        switch file.photo.format {
        case .jpeg: []
        case .heic: ["the photo is a HEIC"]
        case .avif: ["the photo is an AVIF"]
        }
    }

    static let motionPhotoMicroVideo = Rule(
        motionPhoto: "motion-photo-micro-video", .warning, "XMP has no keys of MicroVideo, the older format.",
        effect: "Phones of OPPO, OnePlus and realme show a still photo (reported).", remedy: again
    ) { file in
        let names = (file.xmp?.properties ?? []).map(\.name).filter {
            $0.namespace == XMLNamespace.googleCamera && $0.local.hasPrefix("MicroVideo")
        }.map { $0.local.shown(60) }
        return names.isEmpty ? [] : ["XMP has \(names.prefix(8).joined(separator: ", "))"]
    }

    static let motionPhotoNames = Rule(
        motionPhoto: "motion-photo-names", .warning,
        "XMP declares rdf on rdf:RDF, and GCamera, Container and Item on rdf:Description.",
        effect: "Xiaomi's gallery shows a still photo (reported).", remedy: again
    ) { file in
        guard file.xmp != nil, let names = (try? file.description.get())?.undeclaredNames, !names.isEmpty else {
            return []
        }
        return ["XMP does not declare \(names.joined(separator: ", "))"]
    }

    static let motionPhotoIdentifier = Rule(
        motionPhoto: "motion-photo-identifier", .warning, "The MakerNote has no content identifier.",
        effect: "Programs that look for it first, such as Nextcloud Memories, search a separate movie.", remedy: again
    ) { file in
        guard let identifier = try? file.photo.contentIdentifier.get() else { return [] }
        return ["the MakerNote has the content identifier \(quoted(identifier))"]
    }

    static let motionPhotoPictures = Rule(
        motionPhoto: "motion-photo-pictures", .warning, "The further pictures of a JPEG are where its index says.",
        effect: "Programs do not show the photo in HDR, or reject it.", remedy: "Copy the file from the phone again."
    ) { file in
        (try? file.description.get())?.hasValidPictureList == false
            ? ["the index of pictures (MPF) leads to something else than a picture"] : []
    }

    static let motionPhotoName = Rule(
        motionPhoto: "motion-photo-name", .note, "The file's name ends in MP.jpg, MP.heic or MP.avif.",
        effect: "A program may ignore the movie, but the programs that were examined do not.",
        remedy: "Rename the file."
    ) { file in
        file.path.stem?.hasSuffix("MP") == true ? [] : ["the file is named \(file.path.lastComponent?.string ?? "")"]
    }
}
