import MediaModel
import StillImage

extension Rule {
    static let motionPhotoRules =
        [
            motionPhotoXMP, motionPhotoMarked, motionPhotoMovie, motionPhotoItems,
            motionPhotoLength, motionPhotoCodec,
        ] + motionPhotoCompatibilityRules

    private static let again = "Extract the Live Photo and pack it again: livephoto extract, livephoto pack."
    private static let unseen = "Programs do not find the movie and show a still photo."

    static let motionPhotoXMP = Rule(
        motionPhoto: "motion-photo-xmp", .error, "A motion photo has one packet of XMP, which can be read.",
        effect: unseen, remedy: again
    ) { file in
        switch file.description {
        case .failure(let error): ["the description of the movie cannot be read: \(error)"]
        case .success(let description) where description.packetCount != 1:
            ["the photo has \(counted(description.packetCount, "packet")) of XMP"]
        case .success: []
        }
    }

    static let motionPhotoMarked = Rule(
        motionPhoto: "motion-photo-marked", .error, "XMP has MotionPhoto and MotionPhotoVersion with the value 1.",
        effect: unseen, remedy: again
    ) { file in
        guard let xmp = file.xmp else { return [] }
        return (["MotionPhoto", "MotionPhotoVersion"] as [FileText]).compactMap { name in
            guard let value = xmp.camera(name)?.text else { return "XMP has no \(name)" }
            return value == "1" ? nil : "\(name) is \(quoted(value)), not 1"
        }
    }

    static let motionPhotoMovie = Rule(
        motionPhoto: "motion-photo-movie", .error,
        "The file holds a movie at the place that it states, and the movie can be played.",
        effect: unseen, remedy: "Copy the file from the phone again. If the movie was found by searching: \(again)"
    ) { file in
        var messages: [String] = []
        if let fault = file.videoFault {
            messages.append("the description of the movie is wrong: \(fault)")
        } else if file.video == nil {
            messages.append("no movie was found in the file")
        } else if file.video?.kind == .undescribed {
            messages.append("nothing describes the movie")
        }
        if case .failure(let error)? = file.movie { messages.append("the movie cannot be played: \(error)") }
        return messages
    }

    static let motionPhotoItems = Rule(
        motionPhoto: "motion-photo-items", .error,
        "The directory in XMP lists Primary, GainMap if there is one, and MotionPhoto, with the type of the photo.",
        effect: unseen, remedy: again
    ) { file in
        guard let items = file.items else { return [] }
        let semantics: [FileText] = items.map { $0.semantic ?? "an item without Semantic" }
        guard [["Primary", "MotionPhoto"], ["Primary", "GainMap", "MotionPhoto"]].contains(semantics) else {
            return [
                "the directory lists \(listed(semantics))"
            ]
        }
        let types: [FileText] =
            file.photo.format == .jpeg ? ["image/jpeg"] : ["image/heic", "image/heif", "image/avif"]
        let found = items[0].mime ?? ""
        return types.contains(found) ? [] : ["the type of the photo is given as \(quoted(found)), not \(types[0])"]
    }

    private static func listed(_ semantics: [FileText]) -> String {
        let shown = semantics.prefix(8).map(quoted).joined(separator: ", ")
        return semantics.isEmpty ? "nothing" : shown + (semantics.count > 8 ? ", …" : "")
    }

    static let motionPhotoLength = Rule(
        motionPhoto: "motion-photo-length", .error,
        "The directory states the length of the movie, which is the last part of the file.",
        effect: "Readers that count from the end of the file do not find the movie.", remedy: again
    ) { file in
        guard let item = file.items?.last, let video = file.video else { return [] }
        guard let length = item.length else { return ["the length of the movie is missing or not a number"] }
        var messages: [String] = []
        if let box = (try? file.description.get())?.box {
            if length != box.contentSize {
                messages.append("the length is given as \(length), and the box mpvd holds \(box.contentSize) bytes")
            }
        } else if video.range.lowerBound != file.fileSize - length {
            let count = file.fileSize - video.range.lowerBound
            messages.append("the length is given as \(length), and the movie begins \(count) bytes before the end")
        } else if file.bytesBehindMovie > 0 {
            messages.append("\(counted(file.bytesBehindMovie, "byte")) follow the movie")
        }
        if let type = (try? file.description.get())?.followingBox {
            messages.append("a box \(type) follows the movie's")
        }
        if file.photo.format != .jpeg, (try? file.description.get())?.box == nil {
            messages.append("there is no box mpvd around the movie")
        }
        return messages
    }

    static let motionPhotoCodec = Rule(
        motionPhoto: "motion-photo-codec", .error, "The movie has one video track, of H.264, HEVC or AV1.",
        effect: "Phones do not play it.", remedy: "Extract the Live Photo, and convert its movie."
    ) { file in
        guard let movie = file.playableMovie else { return [] }
        if movie.videoTrackCount != 1 { return ["the movie has \(movie.videoTrackCount) video tracks"] }
        return movie.codec.isSupported ? [] : ["the movie's video is \(movie.codec.name)"]
    }
}

extension MotionPhotoFacts {
    var xmp: XMP? { (try? description.get())?.xmp }
    var items: [MotionPhotoDescription.Item]? { xmp == nil ? nil : (try? description.get())?.items }
    var playableMovie: Movie? { try? movie?.get() }
}
