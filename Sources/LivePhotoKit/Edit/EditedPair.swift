import MediaModel
import QuickTime
import SystemPackage

/// An edited pair, complete before anything is written.
struct EditedPair: Sendable {
    let plan: LivePhotoEditor.Plan
    /// Nil in place.
    let target: PublishTarget?
    private let linked: LinkedPair
    /// The warnings that the pair deserved before.
    private let oldWarnings: Set<Rule>

    var update: PairUpdate { linked.update }

    /// - Parameter name: Of copies, without extension; nil for the photo's.
    /// - Throws: `LivePhotoError` for a pair or times that cannot be used; `MovieEditError`; `CancellationError`.
    init(
        _ edits: LivePhotoEdits, of source: SourcePair, to destination: LivePhotoLinker.Destination, name: String?
    ) throws {
        oldWarnings = try Self.check(source)
        let isInPlace = destination == .inPlace
        if case .directory(let directory, _) = destination {
            target = try source.target(in: directory, name: name)
        } else {
            target = nil
        }
        let range = try EditedRange(edits, of: source)
        var reader = source.reader
        try reader.checkTrackNumbers()
        let removesSound = edits.removesSound && reader.soundTrackCount > 0
        if removesSound { reader = try reader.withoutSound() }
        let cut = range.isWhole ? nil : try MovieCut(reader, from: range.start, to: range.end)
        if let cut { reader = try cut.apply() }
        let (start, end) = (cut?.start ?? .zero, cut?.end ?? source.moments.end)
        let still = source.moments.still(at: edits.stillTime)
        guard still >= start, still < end else {
            throw LivePhotoError(
                .stillOutside, source.movie,
                "the still time \(still) is not in the part that is kept, from \(start) to \(end)")
        }
        let identifier: ContentIdentifier? =
            switch edits.identity {
            case .automatic: isInPlace ? source.identifier : nil
            case .kept: source.identifier
            case .set(let identifier): identifier
            }
        linked = try LinkedPair(
            source.replacingMovie(reader), stillTime: still - start,
            contentIdentifier: identifier ?? ContentIdentifier(), replacesPhoto: edits.replacesPhoto,
            adding: edits.captureDate.map { AddedMetadata(date: $0, source: .request) }, for: .edit)
        let old = source.moments.ownStill
        var notes = range.notes(cut)
        if let old, old != still, !edits.replacesPhoto {
            notes.append("the key photo keeps its picture; the still time was \(old)")
        }
        if old == nil, edits.stillTime == nil {
            notes.append("the movie has no still time; it becomes that of the middle, \(still)")
        }
        if edits.removesSound, !removesSound { notes.append("the movie has no sound to remove") }
        if isInPlace, removesSound || cut != nil {
            let removed = [removesSound ? "sound" : nil, cut == nil ? nil : "frames"].compactMap(\.self)
            notes.append(
                "what is removed (\(removed.joined(separator: " and "))) stays in the movie's file, unused; copies leave it out"
            )
        }
        plan = LivePhotoEditor.Plan(
            way: .lossless, reason: "no change needs new pixels or new sound",
            files: target.map { [$0.photo, $0.movie] } ?? [source.photo, source.movie], start: start,
            startsEarly: range.startsEarly(cut), end: end,
            stillTime: linked.stillTime, movesStill: old != still, removesSound: removesSound,
            contentIdentifier: identifier, notes: notes)
    }

    /// Throws unless the files are a Live Photo without errors, except that it may lack a still time, which an edit adds.
    ///
    /// - Returns: The rules of its warnings.
    private static func check(_ source: SourcePair) throws(LivePhotoError) -> Set<Rule> {
        try LivePhoto.check(photo: source.photo, movie: source.movie)
        let findings = try LivePhotoVerifier().verify(photo: source.photo, movie: source.movie).findings
        if let error = findings.first(where: { $0.severity == .error && $0.rule != .stillTimePresent }) {
            throw LivePhotoError(
                .unusableMedia, source.photo,
                "cannot be edited as it is: \(error.message) (\(error.rule.id)); livephoto link or convert makes it a Live "
                    + "Photo again")
        }
        return findings.warnedRules
    }

    /// Checks the written files. Warnings that the pair deserved before are accepted.
    ///
    /// - Throws: `PairFault`; `LivePhotoError`.
    func check(_ photo: FilePath, _ movie: FilePath) throws {
        try PairCheck(
            photo: photo, movie: movie, contentIdentifier: linked.identifier, stillTime: linked.stillTime,
            allowing: oldWarnings
        ).run()
    }

    func result(photo: FilePath, movie: FilePath) -> LivePhotoEditor.Result {
        LivePhotoEditor.Result(
            livePhoto: LivePhoto(photo: photo, movie: movie, contentIdentifier: linked.identifier), plan: plan)
    }
}

/// The part of a movie that is requested, from frame to frame.
private struct EditedRange {
    /// The time of a frame; nil for the start of the movie.
    let start: MediaTime?
    /// The time of the first frame that is left out; nil for the end of the movie.
    let end: MediaTime?

    var isWhole: Bool { start == nil && end == nil }

    /// - Throws: `LivePhotoError` for times after the end of the movie, and for an empty part.
    init(_ edits: LivePhotoEdits, of source: SourcePair) throws(LivePhotoError) {
        let moments = source.moments
        func check(_ time: MediaTime?, isEnd: Bool = false) throws(LivePhotoError) {
            guard let time else { return }
            let frame = moments.end - (moments.frames.last ?? .zero)
            guard isEnd ? time <= moments.end + frame : time < moments.end, time >= .zero else {
                throw LivePhotoError(
                    .invalidRequest, source.movie, "there is nothing at \(time); the movie lasts \(moments.end)")
            }
        }
        try check(edits.start)
        try check(edits.end, isEnd: true)
        if let still = edits.stillTime, still != moments.end { try check(still) }
        let first = edits.start.map { moments.frame(nearest: $0) }
        start = first == moments.frames.first ? nil : first
        end = edits.end.flatMap { time in
            let frame = moments.frame(nearest: time)
            return abs(frame.seconds - time.seconds) < abs(moments.end.seconds - time.seconds) ? frame : nil
        }
        if let end, end <= start ?? moments.frames.first ?? .zero {
            throw LivePhotoError(
                .invalidRequest, source.movie,
                "no frame would be kept between \(edits.start ?? .zero) and \(edits.end ?? .zero); give a later end")
        }
    }

    /// Whether a part begins before the requested frame.
    func startsEarly(_ cut: MovieCut?) -> Bool {
        guard let cut, let start else { return false }
        return cut.start < start
    }

    /// - Parameter cut: The part that is kept.
    func notes(_ cut: MovieCut?) -> [String] {
        guard let cut, let start, startsEarly(cut) else { return [] }
        return [
            "the movie begins at \(cut.start) instead of \(start): a movie that is not encoded again can only begin at certain "
                + "frames (key frames)"
        ]
    }
}

extension LivePhotoError.Code {
    /// The still time is outside of the part of the movie that is kept.
    public static let stillOutside = invalidRequest.refined("stillOutside")
}
