import Bytes
import Files
import MediaModel
import QuickTime
import TestSupport

private let identifier = ContentIdentifier("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
private let date = CaptureDate(year: 2025, month: 1, day: 31, hour: 11, minute: 6, second: 47, utcOffset: 540)

extension FuzzedReader {
    static let movieEdits = FuzzedReader(
        sources: ["QuickTime/Editing"], form: .boxes, words: movieWords,
        samples: { try movieSamples() + [DevicePair.movie] }, run: editMovie)
}

/// Edits a movie in every way: what comes of that has to be a movie that says what it was told.
private func editMovie(_ bytes: [UInt8]) {
    guard let reader = try? MovieReader(scratchFile(bytes)) else { return }
    let frames = (try? reader.shownVideo?.frameTimes())?.times ?? []
    if let identifier, let still = frames.dropFirst(frames.count / 2).first,
        let edit = try? MovieEdit(linking: reader, contentIdentifier: identifier, stillTime: still, captureDate: date)
    {
        check(edit, of: bytes) { linked in
            Fuzzing.expect(linked.contentIdentifier?.description == identifier.string, "the identifier is another one")
            let found = try linked.stillImageTime()?.time
            Fuzzing.expect(
                found == edit.stillTime, "the still time is \(found.map(String.init(describing:)) ?? "none")")
        }
    }
    if let edit = try? MovieEdit(unlinking: reader) {
        check(edit, of: bytes) { plain in
            Fuzzing.expect(plain.contentIdentifier == nil, "an unlinked movie has an identifier")
        }
    }
    if let date, let edit = try? MovieEdit(describing: reader, captureDate: date, location: nil) {
        check(edit, of: bytes) { dated in
            Fuzzing.expect(dated.captureDate == date, "the date that was set is another one")
        }
    }
    for (start, end) in [(frames.dropFirst().first, nil), (nil, frames.last), (frames.dropFirst().first, frames.last)] {
        guard let cut = try? MovieCut(reader, from: start, to: end), let part = try? cut.apply() else { continue }
        checkCopy(of: part)
    }
    checkCopy(of: reader)
    for edited in [try? reader.withoutSound(), try? reader.withOneVideo()] { edited.map(checkCopy) }
}

/// Checks a copy and a change in place, and that the change can be undone.
private func check(_ edit: MovieEdit, of old: [UInt8], _ isRight: (MovieReader) throws -> Void) {
    if let copy = try? edit.copy() {
        Fuzzing.must("an edited copy cannot be read") {
            try isRight(MovieReader(scratchFile(copy.allBytes, place: 1)))
        }
    }
    guard let changes = try? edit.changesInPlace(), !changes.isEmpty else { return }
    Fuzzing.must("a movie changed in place cannot be read") {
        let inverse = try ChangeInverse(of: changes, in: edit.reader.file)
        let changed = apply(changes, to: old)
        let file = scratchFile(changed, place: 1)
        try isRight(MovieReader(file))
        Fuzzing.expect(try inverse.state(of: file) == .new, "a changed movie is not recognized")
        Fuzzing.expect(apply(inverse.changes, to: changed) == old, "a change is not undone")
    }
}

private func apply(_ changes: [FileChange], to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for change in changes {
        switch change {
        case .truncate(let size): bytes = bytes.prefix(size) + [UInt8](repeating: 0, count: max(size - bytes.count, 0))
        case .write(let new, let offset):
            bytes += [UInt8](repeating: 0, count: max(offset + new.count - bytes.count, 0))
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        case .synchronize: break
        }
    }
    return bytes
}

/// A copy as MP4 has the samples of the tracks that are in it, byte for byte.
private func checkCopy(of reader: MovieReader) {
    for purpose in [MP4Copy.Purpose.motionPhoto, .playback(cover: nil)] {
        guard let copy = try? MP4Copy(reader, sound: .keep, for: purpose), let pieces = try? copy.pieces() else {
            continue
        }
        Fuzzing.must("a copy as MP4 cannot be read") {
            let made = try MovieReader(scratchFile(pieces.allBytes, place: 1))
            guard let old = reader.shownVideo, let new = made.shownVideo else { return }
            let (before, after) = (Array(try old.samples().prefix(64)), Array(try new.samples().prefix(64)))
            Fuzzing.expect(before.count == after.count, "a copy has \(after.count) of \(before.count) frames")
            for (one, other) in zip(before, after) {
                guard let bytes = try? reader.bytes(of: one) else { continue }
                Fuzzing.expect(try made.bytes(of: other) == bytes, "frame \(one.index) of a copy has other bytes")
            }
        }
    }
}
