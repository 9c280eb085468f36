import LivePhotoKit
import LivePhotoRequests

extension Inspection {
    /// The complete inspection as text.
    var page: String {
        switch self {
        case .photo(let photo): Page(photo).text
        case .movie(let movie): Page(movie).text
        case .bundle(let bundle): Page(bundle).text
        }
    }

    /// A summary on one line.
    var line: String {
        switch self {
        case .photo(let photo):
            [
                photo.file, photo.format, "\(photo.width)x\(photo.height)", photo.contentIdentifier ?? "no identifier",
                photo.gainMap == nil ? "" : "gain map", photo.motion.map { $0.kind } ?? "",
            ].shownLine
        case .movie(let movie):
            [
                movie.file, movie.videoText, movie.duration.map { seconds($0) } ?? "",
                movie.contentIdentifier ?? "no identifier", movie.still.map { "still at \(seconds($0.time))" } ?? "",
            ].shownLine
        case .bundle(let bundle): [bundle.file, bundle.format, counted(bundle.members.count, "file")].shownLine
        }
    }
}

/// Lines of a name and a value, with the values aligned.
private struct Page {
    private var lines: [String]

    private init(_ title: String) {
        lines = [printable(title)]
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        lines.append("  " + name.padded(to: 20) + printable(value))
    }

    private mutating func add(_ heading: String, _ values: [(name: String, value: String)]) {
        guard !values.isEmpty else { return }
        lines.append("  " + heading)
        let width = min(values.map { printable($0.name).columns }.max() ?? 0, 60) + 2
        lines += values.map { "    " + printable($0.name).padded(to: width) + printable($0.value) }
    }

    init(_ photo: PhotoInspection) {
        self.init(photo.file)
        add("photo", "\(photo.format), \(photo.width)x\(photo.height), \(bytes(photo.fileSize))")
        add("orientation", "\(photo.orientation)" + (photo.orientation == 1 ? " (upright)" : " (Exif orientation)"))
        add("content identifier", photo.contentIdentifier ?? "none: \(photo.contentIdentifierProblem ?? "")")
        add("shot", [photo.captureDate, photo.make, photo.model].compactMap(\.self).joined(separator: ", "))
        add(
            "place",
            photo.location.map {
                "\(number($0.latitude, places: 6)), \(number($0.longitude, places: 6))"
                    + ($0.altitude.map { ", altitude \(number($0)) m" } ?? "")
            })
        add(
            "gain map",
            photo.gainMap.map {
                "\($0.width)x\($0.height), \($0.forms.joined(separator: ", "))"
                    + ($0.headroom.map { ", HDR up to \(number($0, places: 2)) times the white of SDR" } ?? "")
            })
        add(
            "movie in it",
            photo.motion.map {
                "\($0.kind), \(bytes($0.size)) from byte \($0.offset)"
                    + ($0.presentationTime.map { ", the photo at \(seconds($0))" } ?? "")
            })
        for finding in photo.motion?.findings ?? [] {
            add("", "\(finding.severity): \(finding.message) (\(finding.rule))")
        }
        for problem in photo.problems { add("problem", problem) }
        for directory in ["IFD0", "Exif", "GPS", "Apple"] {
            let fields = photo.fields.filter { $0.directory == directory }
            add(directory == "Apple" ? "Apple MakerNote" : directory, fields.map { ($0.name, $0.value) })
        }
    }

    init(_ movie: MovieInspection) {
        self.init(movie.file)
        let brand = movie.brand.map { "brand \($0)" } ?? "without a brand (ftyp)"
        add(
            "movie",
            [
                brand, bytes(movie.fileSize), movie.duration.map { seconds($0) },
                movie.isFragmented ? "in fragments" : nil,
            ]
            .compactMap(\.self).joined(separator: ", "))
        add("content identifier", movie.contentIdentifier ?? "none")
        add("still", movie.stillText)
        for value in movie.still?.others ?? [] { add("", "\(value.name.shortened): \(value.value)") }
        for problem in movie.problems { add("problem", problem) }
        for track in movie.tracks {
            add("track \(track.id)", track.text)
            for key in track.keys {
                add("", "\(key.name.shortened) (\(key.type))" + (key.value.isEmpty ? "" : ": \(key.value)"))
            }
            for line in track.livePhotoInfo?.lines ?? [] { add("", line) }
            for value in track.metadata { add("", "\(value.name.shortened): \(value.value)") }
        }
        add("metadata", movie.metadata.map { ($0.name, $0.value) })
    }

    init(_ bundle: BundleInspection) {
        self.init(bundle.file)
        add("bundle", "\(bundle.format), \(counted(bundle.members.count, "file"))")
        add("members", bundle.members.map { ($0.name, bytes($0.size) + ($0.isCompressed ? ", compressed" : "")) })
    }
}

extension MovieInspection {
    fileprivate var stillText: String {
        guard let still else { return "none" }
        let frames = shownVideo?.video?.frames
        let frame = still.frame.map { ", frame #\($0)" + (frames.map { " of \($0)" } ?? "") } ?? ", at no frame"
        return "\(seconds(still.time))\(frame), by track \(still.track), value \(still.value)"
    }

    /// The track that players show.
    private var shownVideo: TrackInspection? {
        let videos = tracks.filter { $0.video != nil }
        return videos.first(where: \.isEnabled) ?? videos.first
    }

    fileprivate var videoText: String {
        guard let track = shownVideo, let video = track.video else { return "no video" }
        let rate = video.framesPerSecond.map { ", \(number($0)) fps" } ?? ""
        return "\(track.codec ?? "?"), \(video.width ?? video.storedWidth)x\(video.height ?? video.storedHeight)\(rate)"
    }
}

extension TrackInspection {
    fileprivate var text: String {
        let type = format.flatMap { $0 == codec ? nil : "(\($0))" }
        var parts = [kind, [codec, type].compactMap(\.self).joined(separator: " ")]
        if let video {
            let stored = "\(video.storedWidth)x\(video.storedHeight)"
            let shown = "\(video.width ?? video.storedWidth)x\(video.height ?? video.storedHeight)"
            parts.append(stored == shown ? stored : "\(stored) shown as \(shown)")
            if let aperture = video.cleanAperture {
                parts.append("clean aperture \(number(aperture.width))x\(number(aperture.height))")
            }
            if let orientation = video.orientation, orientation != 1 { parts.append("orientation \(orientation)") }
            if let frames = video.frames { parts.append(counted(frames, "frame")) }
            if let rate = video.framesPerSecond { parts.append("\(number(rate)) fps") }
            if let bitDepth = video.bitDepth, bitDepth != 8 { parts.append("\(bitDepth) bits") }
            if let color = video.color { parts.append(color.text) }
        }
        if let audio {
            if let rate = audio.sampleRate { parts.append("\(number(rate)) Hz") }
            parts.append(counted(audio.channels, "channel"))
        }
        if video == nil, audio == nil, let samples { parts.append(counted(samples, "sample")) }
        if let duration { parts.append(seconds(duration)) }
        if isEncrypted { parts.append("encrypted") }
        if !isEnabled { parts.append("disabled") }
        if !describes.isEmpty { parts.append("describes " + describes.map { "track \($0)" }.joined(separator: ", ")) }
        return parts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension LivePhotoInfoInspection {
    /// What the records say, without those of each frame.
    fileprivate var lines: [String] {
        guard let last = records.last else {
            return ["\(counted(unreadable, "record")) of a form that cannot be read"]
        }
        let pictures = width.flatMap { width in height.map { " for pictures of \(width)x\($0)" } } ?? ""
        var parts = [
            counted(records.count, "record") + pictures,
            counted(records.count { $0.homography != nil }, "homography", plural: "homographies"),
            counted(records.count { $0.blur != nil }, "blur vector"),
        ]
        if unreadable > 0 { parts.append("\(unreadable) of another form") }
        let interpolated = records.count { $0.isInterpolated == true }
        if interpolated > 0 { parts.append("\(counted(interpolated, "frame")) computed from others") }
        var lines = [parts.joined(separator: ", ")]
        let places = records.compactMap(\.motion)
        if let place = last.motion {
            let steps = zip(places, places.dropFirst()).map { hypotenuse($1[0] - $0[0], $1[1] - $0[1]) }
            lines.append(
                "the camera moved by (\(number(place[0], places: 1)), \(number(place[1], places: 1))) px, at most "
                    + "\(number(steps.max() ?? 0, places: 1)) px from frame to frame")
        }
        return lines
    }

    private func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}

extension TrackInspection.Color {
    /// The code points of ITU-T H.273, and the kind of HDR.
    fileprivate var text: String {
        let curve =
            switch transfer {
            case 16: " (HDR, PQ)"
            case 18: " (HDR, HLG)"
            default: ""
            }
        return "colour \(primaries)/\(transfer)/\(matrix)\(curve)\(isFullRange ? ", full range" : "")"
    }
}

extension String {
    /// Apple's long names without their common prefix.
    fileprivate var shortened: String {
        hasPrefix("com.apple.quicktime.") ? String(dropFirst("com.apple.quicktime.".count)) : self
    }
}

extension [String] {
    fileprivate var shownLine: String { filter { !$0.isEmpty }.map(printable).joined(separator: "  ") }
}

private func number(_ value: Double, places: Int = 3) -> String { decimal(value, places: places) }

private func seconds(_ value: Double) -> String { "\(number(value)) s" }

private func bytes(_ count: Int) -> String {
    count < 10_000 ? counted(count, "byte") : count < 10_000_000 ? "\(count / 1000) kB" : "\(count / 1_000_000) MB"
}
