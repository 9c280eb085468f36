import Bytes
import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage

/// What the page shows of clips and movies. Everything is made by the worker when it is asked for first, and the last of it is
/// kept.
struct ClipMedia: Sendable {
    let items: ItemList
    let engine: MediaEngine
    private let scratch: FilePath
    private let opened: RecentValues<Int, OpenedItem>
    private let strips: RecentValues<Int, Strip>
    private let packs: RecentValues<Part, FramePack>
    private let thumbnails: RecentValues<Int, [UInt8]>
    private let sounds: RecentValues<Int, InputFile?>
    private let levels: RecentValues<Int, SoundLevels>
    private let adjusting = TaskLimit(2)

    /// The frames of a part of an item, in units of the page's times.
    private struct Part: Hashable {
        let item: Int
        let start: MediaTime
        let end: MediaTime?
    }

    /// A few frames of a whole clip, with what was found in it.
    struct Strip: Sendable {
        let sheet: FrameSheet
        let pack: FramePack
    }

    private static let pictures = 24
    private static let (stripSize, frameSize) = (MaximumSize(320, 320), MaximumSize(640, 640))
    private static let (thumbnailEdge, thumbnailQuality) = (320, 80)
    private static let thumbnailTime = MediaTime(value: 1, timescale: 1)
    /// Values that are kept. A pack of frames is an open file of some megabytes.
    private static let (keptItems, keptPacks, keptThumbnails) = (64, 48, 2_000)
    /// The sound of longer clips is not played in the page.
    static let longestSound = MediaTime(value: 600, timescale: 1)
    /// Less than any frame lasts.
    private static let moment = MediaTime(value: 1, timescale: 10_000)
    /// All frames of clips up to this length are made at once.
    private static let longestWhole = MediaTime(value: 20, timescale: 1)

    init(_ items: ItemList, _ engine: MediaEngine, scratch: FilePath) {
        (self.items, self.engine, self.scratch) = (items, engine, scratch)
        // Strips of a gallery do not keep the frames of the open clip waiting.
        let (reading, strips, frames) = (TaskLimit(2), TaskLimit(1), TaskLimit(2))
        opened = RecentValues(Self.keptItems, reading)
        self.strips = RecentValues(Self.keptItems, strips)
        packs = RecentValues(Self.keptPacks, frames)
        thumbnails = RecentValues(Self.keptThumbnails, TaskLimit(1))
        sounds = RecentValues(Self.keptItems, TaskLimit(1))
        levels = RecentValues(Self.keptItems, TaskLimit(1))
    }

    /// - Throws: `LivePhotoError` for what cannot be read.
    func open(_ id: Int) async throws -> OpenedItem {
        let item = try await items.item(id)
        return try await opened.value(id) { try OpenedItem(item) }
    }

    func strip(_ id: Int) async throws -> Strip {
        let (movie, engine, file) = (try await open(id).movie, engine, temporary("strip"))
        return try await strips.value(id) {
            let (sheet, pictures) = try await Self.withUnnamedFile(file) {
                try await engine.sheetPictures(
                    of: movie, .spread(Self.pictures), maximum: Self.stripSize, to: file)
            }
            let frames = sheet.pictures.map {
                FramePack.Frame(seconds: $0.time.seconds, still: $0.still, bytes: $0.bytes)
            }
            let size = sheet.size ?? PixelSize(width: 0, height: 0)
            return Strip(sheet: sheet, pack: FramePack(frames, size, end: nil, in: pictures))
        }
    }

    /// All frames of a part: of a short clip, those of the whole are made at once, and of a long one, those of the part alone.
    ///
    /// - Parameter end: nil for the end of the clip; at most 600 frames are made.
    func frames(_ id: Int, from start: MediaTime, to end: MediaTime?) async throws -> FramePack {
        if try await strip(id).sheet.clipDuration <= Self.longestWhole {
            let whole = try await pack(id, from: .zero, to: nil)
            // A clip of a short time may have more frames than a pack takes.
            if (end ?? start).seconds <= (whole.end ?? 0) + FramePack.rounding {
                return whole.part(from: start.seconds, to: end?.seconds)
            }
        }
        return try await pack(id, from: start, to: end)
    }

    private func pack(_ id: Int, from start: MediaTime, to end: MediaTime?) async throws -> FramePack {
        let movie = try await open(id).movie
        return try await packs.value(Part(item: id, start: start, end: end)) {
            try await makePack(of: movie, from: start, to: end)
        }
    }

    private func makePack(of movie: FilePath, from start: MediaTime, to end: MediaTime?) async throws -> FramePack {
        var request = SmallFramesRequest(clip: movie)
        // At least one frame.
        (request.start, request.end) = (start, end.map { max($0, start + Self.moment) })
        request.maximumSize = Self.frameSize
        let file = temporary("frames")
        let (made, pictures) = try await Self.withUnnamedFile(file) { [request] in
            try await engine.smallFrames(request, to: file)
        }
        let frames = made.frames.map {
            FramePack.Frame(seconds: $0.time.seconds, still: $0.still, bytes: $0.bytes)
        }
        return FramePack(frames, made.size, end: made.end.seconds, in: pictures)
    }

    /// A name that no other file has.
    private func temporary(_ kind: String) -> FilePath { scratch.appending("\(kind)-\(UInt64.random(in: 0 ... .max))") }

    /// Lets work write into a file, which has no name afterwards.
    private static func withUnnamedFile<Value: Sendable>(
        _ path: FilePath, _ make: () async throws -> Value
    ) async throws -> (Value, InputFile) {
        do {
            try OutputFile.write(path) { _ in }
            defer { try? FileSystem.removeFile(path) }
            let value = try await make()
            return (value, try InputFile(path))
        } catch let error as LivePhotoError where FullDisk.isCause(of: error, path.folder) {
            throw LivePhotoError(
                .inputOutput, path.folder, "its disk, for temporary files, is full; free some space and try again",
                cause: error)
        }
    }

    /// A frame with adjustments, about as fast as a slider moves.
    func adjusted(_ id: Int, at seconds: Double, _ adjustments: Adjustments) async throws -> Thumbnail {
        let time = MediaTime(seconds: seconds, timescale: 1_000_000)
        let jpeg = try await jpeg(id, at: time)
        return try await adjusting.run {
            try Task.checkCancellation()
            let file = temporary("adjusted")
            try OutputFile.write(file) { try $0.write(jpeg) }
            defer { try? FileSystem.removeFile(file) }
            return try await engine.adjusted(file, by: adjustments)
        }
    }

    private func jpeg(_ id: Int, at time: MediaTime) async throws -> [UInt8] {
        for pack in await packs.finished(where: { $0.item == id }) {
            if let jpeg = try pack.jpeg(at: time.seconds) { return jpeg }
        }
        // The time may be rounded down.
        let later = time + Self.moment
        let single = try await makePack(of: open(id).movie, from: later, to: later)
        guard let jpeg = try single.jpeg(at: later.seconds) else {
            throw LivePhotoError(.invalidRequest, nil, "there is no frame at \(time)")
        }
        return jpeg
    }

    func thumbnail(_ id: Int) async throws -> [UInt8] {
        let (opened, engine) = (try await open(id), engine)
        return try await thumbnails.value(id) {
            if let photo = opened.photo {
                return try await engine.thumbnail(
                    of: photo, edge: Self.thumbnailEdge, quality: Self.thumbnailQuality
                ).jpeg
            }
            // Many clips begin in black.
            let (movie, time) = (opened.movie, Self.thumbnailTime)
            let later = try? await makePack(of: movie, from: time, to: time)
            let pack = if let later { later } else { try await makePack(of: movie, from: .zero, to: .zero) }
            guard let first = pack.frames.first, let jpeg = try pack.jpeg(at: first.seconds) else {
                throw LivePhotoError(.unusableMedia, opened.movie, "has no frame that can be shown")
            }
            return jpeg
        }
    }

    func levels(_ id: Int) async throws -> SoundLevels {
        let (movie, engine) = (try await open(id).movie, engine)
        return try await levels.value(id) { try await engine.soundLevels(of: movie) }
    }

    /// The sound as AAC in a movie; nil if there is none.
    func sound(_ id: Int) async throws -> InputFile? {
        let (movie, engine, file) = (try await open(id).movie, engine, temporary("sound"))
        return try await sounds.value(id) {
            let (hasSound, sound) = try await Self.withUnnamedFile(file) {
                try await engine.encodeSound(of: movie, to: file)
            }
            return hasSound ? sound : nil
        }
    }

    /// Makes everything again that is known of an item, whose files have changed.
    func forget(_ id: Int) async {
        await opened.forget { $0 == id }
        await strips.forget { $0 == id }
        await packs.forget { $0.item == id }
        await thumbnails.forget { $0 == id }
        await sounds.forget { $0 == id }
        await levels.forget { $0 == id }
    }

    /// Ends everything that is being made.
    func stop() async {
        await strips.stop()
        await packs.stop()
        await thumbnails.stop()
        await sounds.stop()
        await levels.stop()
        await opened.stop()
        // Another thread may hold one when the process ends.
        for item in await opened.finished(where: { _ in true }) { item.extracted?.discard() }
    }
}
