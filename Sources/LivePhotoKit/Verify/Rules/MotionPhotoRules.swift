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
        "The directory in XMP lists the photo (Primary) first and exactly one MotionPhoto.",
        effect: unseen, remedy: again
    ) { file in
        guard let items = file.items else { return [] }
        let semantics: [FileText] = items.map { $0.semantic ?? "an item without Semantic" }
        guard semantics.first == "Primary", semantics.count(where: { $0 == "MotionPhoto" }) == 1 else {
            return ["the directory lists \(listed(semantics))"]
        }
        return []
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
        guard let item = file.movieItem, let video = file.video else { return [] }
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
        if file.items?.last != item { messages.append("the movie is not the last item of the directory") }
        if let type = (try? file.description.get())?.followingBox {
            messages.append("a box \(type) follows the movie's")
        }
        if file.photo.format != .jpeg, (try? file.description.get())?.box == nil {
            messages.append("there is no box mpvd around the movie")
        }
        return messages
    }

    static let motionPhotoCodec = Rule(
        motionPhoto: "motion-photo-codec", .error, "The movie's video is H.264, HEVC or AV1.",
        effect: "Phones do not play it.",
        remedy: "Convert its movie: livephoto export FILE --as mp4, livephoto convert CLIP --photo FILE."
    ) { file in
        guard let movie = file.playableMovie else { return [] }
        return movie.codec.isSupported ? [] : ["the movie's video is \(movie.codec.name)"]
    }
}

extension MotionPhotoFacts {
    var xmp: XMP? { (try? description.get())?.xmp }
    var items: [MotionPhotoDescription.Item]? { xmp == nil ? nil : (try? description.get())?.items }
    var playableMovie: Movie? { try? movie?.get() }
    /// The item of the directory that is the movie; nil if there is none.
    var movieItem: MotionPhotoDescription.Item? { items?.last { $0.semantic == "MotionPhoto" } }

    /// Whether the file describes the movie as the programs of a camera's maker read it, besides or instead of Google's
    /// format. Such cameras write wrong lengths into XMP, or none.
    var hasMakersDescription: Bool {
        switch video?.kind {
        case .samsung?, .huawei?, .microVideo?: true
        case .motionPhoto?, .motionPhotoBox?, .undescribed?, nil: (try? description.get())?.isFromOPPO == true
        }
    }
}
