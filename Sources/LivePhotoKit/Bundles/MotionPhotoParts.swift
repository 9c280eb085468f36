import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// What was encoded of a pair for a motion photo, in files without names; nil for what is copied.
struct MotionPhotoParts: Sendable {
    private(set) var photo: InputFile?
    private(set) var video: InputFile?
    private(set) var sound: InputFile?
    /// Whether the movie has sound that decodes to nothing.
    private(set) var isSilent = false

    /// Everything is copied.
    init() {}

    /// Encodes what phones do not play, or what `options` request.
    ///
    /// - Parameter directory: where intermediate files are created, or in the nearest existing parent.
    /// - Throws: `LivePhotoError`.
    init(
        photo: FilePath, movie: FilePath, _ options: MotionPhotoOptions, in directory: FilePath,
        _ encoder: any MotionPhotoEncoder
    ) async throws(LivePhotoError) {
        let format = try PackedPair.photo(photo).format
        let needs: MP4Needs
        do {
            needs = try MP4Needs(MovieReader(InputFile(movie)), options)
        } catch {
            throw PackedPair.unusable(error, movie)
        }
        if options.photoFormat == .jpeg, format != .jpeg {
            self.photo = try await Self.file("photo.jpg", of: photo, in: directory) { output throws(LivePhotoError) in
                try await encoder.encodePhoto(photo, to: output)
            }
        }
        if needs.video {
            video = try await Self.file("video.mov", of: movie, in: directory) { output throws(LivePhotoError) in
                try await encoder.encodeVideo(of: movie, to: output)
            }
        }
        if needs.sound {
            var hasSound = false
            sound = try await Self.file("sound.mov", of: movie, in: directory) { output throws(LivePhotoError) in
                hasSound = try await encoder.encodeSound(of: movie, to: output)
            }
            if !hasSound { (sound, isSilent) = (nil, true) }
        }
    }

    /// The file that `encode` writes, which is removed from its folder.
    private static func file(
        _ name: FilePath.Component, of source: FilePath, in directory: FilePath,
        _ encode: (FilePath) async throws(LivePhotoError) -> Void
    ) async throws(LivePhotoError) -> InputFile {
        let folder: WorkFolder
        do throws(Errno) {
            folder = try WorkFolder(in: try OutputDirectory.nearest(to: directory))
        } catch {
            throw LivePhotoError(writing: directory, error)
        }
        defer { folder.remove() }
        let output = folder.new.appending(name)
        do {
            try OutputFile.write(output) { _ in }
        } catch {
            throw LivePhotoError(writing: directory, error)
        }
        try await encode(output)
        do {
            return try InputFile(output, named: source)
        } catch {
            throw LivePhotoError(reading: source, error)
        }
    }
}

extension MotionPhotoParts {
    /// Whether anything has to be encoded, which takes long and writes intermediate files.
    static func areNeeded(
        photo: FilePath, movie: FilePath, _ options: MotionPhotoOptions
    ) throws(LivePhotoError) -> Bool {
        let format = try PackedPair.photo(photo).format
        if options.photoFormat == .jpeg, format != .jpeg { return true }
        do {
            let needs = try MP4Needs(MovieReader(InputFile(movie)), options)
            return needs.video || needs.sound
        } catch {
            throw PackedPair.unusable(error, movie)
        }
    }
}

/// What has to be encoded of a movie.
private struct MP4Needs {
    private(set) var video = false
    private(set) var sound = false

    init(_ reader: MovieReader, _ options: MotionPhotoOptions) throws {
        video = options.videoFormat == .h264 && reader.mainVideoTypes.contains { $0 != "avc1" }
        sound = options.sound == .aac && reader.motionPhotoSoundState == .unsupported
        // Movies that cannot be copied are refused before anything is encoded.
        do {
            _ = try MP4Copy(reader, sound: .drop)
        } catch MovieEditError.unsupportedCodec where video {}
    }
}

extension MotionPhotoOptions {
    fileprivate var hasTwoTrailers: Bool {
        phones.contains(.samsung) && !phones.isDisjoint(with: Phone.withTexts)
    }

    /// - Parameter coverFrame: called only if it is needed.
    fileprivate func additions(coverFrame: () throws -> Int) throws -> [MotionPhotoAddition] {
        let frame = phones.isDisjoint(with: Phone.withTexts) ? 0 : try coverFrame()
        return phones.compactMap { $0.addition(coverFrame: frame) }
    }
}

extension MotionPhotoOptions.Phone {
    fileprivate static let withTexts: Set<MotionPhotoOptions.Phone> = [.huawei, .honor]

    fileprivate func addition(coverFrame: Int) -> MotionPhotoAddition? {
        switch self {
        case .google, .xiaomi: nil
        case .samsung: .samsungRecord
        case .oppo: .oppoProperties
        case .vivo: .vivoProperty
        case .huawei, .honor: .huaweiTrailer(coverFrame: coverFrame)
        }
    }
}

extension MovieReader {
    fileprivate var mainVideoTypes: [FourCC] {
        shownVideo?.box.media.information.sampleTable.descriptions.entries.map(\.type) ?? []
    }
}

extension PackedPair {
    /// - Parameter stillTime: on the movie's timeline; nil if unknown.
    static func motionPhoto(
        _ photo: InputFile, _ movie: InputFile, _ stillTime: MediaTime?, _ options: MotionPhotoOptions,
        _ parts: MotionPhotoParts
    ) throws(LivePhotoError) -> FilePieces {
        guard !options.hasTwoTrailers else {
            throw LivePhotoError(
                .unusableMedia, photo.path,
                "cannot end as phones of Samsung and as those of Huawei or Honor expect it at the same time; pack it for one of "
                    + "them")
        }
        let (video, moment) = try embedded(movie, stillTime, options, parts)
        do {
            let reader = try PhotoReader(parts.photo ?? photo)
            guard options.photoFormat == .keep || reader.format == .jpeg else {
                throw LivePhotoError(.internalError, photo.path, "did not become a JPEG")
            }
            return try MotionPhoto(reader).with(
                video, presentationTime: moment, movingIdentifier: !options.keepsIdentifier,
                additions: Set(try options.additions { try coverFrame(of: movie, at: moment) }))
        } catch let error as ParseError {
            throw LivePhotoError(.unusableMedia, photo.path, "cannot become a motion photo: \(error)", cause: error)
        } catch {
            throw PairContainer.failure(error, photo.path)
        }
    }

    /// The number of the frame that the photo shows, counted from 0. The frames of an encoded movie are those of its source.
    private static func coverFrame(of movie: InputFile, at time: MediaTime?) throws -> Int {
        let moments = try MovieMoments(MovieReader(movie))
        let still = moments.frame(nearest: moments.still(at: time))
        return moments.frames.firstIndex(of: still) ?? 0
    }

    /// The movie as an MP4, which readers of motion photos require, and the still time.
    private static func embedded(
        _ movie: InputFile, _ stillTime: MediaTime?, _ options: MotionPhotoOptions, _ parts: MotionPhotoParts
    ) throws(LivePhotoError) -> (FilePieces, MediaTime?) {
        do {
            let reader = try MovieReader(movie)
            var sound: MP4Copy.Sound = options.sound == .drop || parts.isSilent ? .drop : .keep
            if let encoded = parts.sound { sound = .replace(try MovieReader(encoded)) }
            guard let encoded = parts.video else {
                return (try MP4Copy(reader, sound: sound).pieces(), stillTime)
            }
            let shown = try MovieMoments(reader)
            let video = MP4Copy.Video(try MovieReader(encoded), start: shown.frame(nearest: .zero))
            // The times of encoded frames are rounded.
            let moments = try MovieMoments(video.reader)
            let moment = stillTime.map { time in
                // A still time between two frames stays where it is.
                shown.frames.contains(time) ? video.start + moments.frame(nearest: time - video.start) : time
            }
            guard moments.frames.count == shown.frames.count,
                Self.isNear(moment, stillTime)
            else {
                throw LivePhotoError(
                    .unusableMedia, movie.path,
                    "cannot become H.264 with all its frames at their times, "
                        + "\(moments.frames.count) of \(shown.frames.count) were encoded; --video-codec keep copies its video"
                )
            }
            return (try MP4Copy(reader, sound: sound, video: video).pieces(), moment)
        } catch {
            throw unusable(error, movie.path)
        }
    }

    /// Whether two times are at most 1/600 s apart, or unknown.
    private static func isNear(_ first: MediaTime?, _ second: MediaTime?) -> Bool {
        guard let first, let second else { return first == second }
        let tick = MediaTime(value: 1, timescale: 600)
        return first - tick <= second && second <= first + tick
    }

    static func unusable(_ error: any Error, _ movie: FilePath) -> LivePhotoError {
        let error = (error as? ParseError).map { MovieEditError.damaged($0) } ?? error
        guard let error = error as? MovieEditError else { return PairContainer.failure(error, movie) }
        let advice = if case .unsupportedSound = error { "; --no-audio leaves the sound out" } else { "" }
        return LivePhotoError(
            .unusableMedia, movie, "cannot be put into a motion photo: \(error)\(advice)", cause: error)
    }
}
