import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import TestSupport
import Testing

/// Cases for what is reported of the lock screen. They start with a pair that meets all of it.
extension RuleCase {
    static let wallpaper = [
        RuleCase("wallpaper-rate", "the movie has 15.38 frames a second, not 20") {
            try $0.makeLockScreen(frameTicks: 39, stillFrame: 20)
        },
        RuleCase("wallpaper-full-rate", "the movie has 30 frames a second, not 60") {
            try $0.makeLockScreen(frameTicks: 20, stillFrame: 20)
        },
        RuleCase(
            "wallpaper-lead-in", "only 13 frames precede the still time, not 14",
            movie: { $0.tracks[1].setStill(ticks: 13 * 10) }),
        RuleCase(
            "wallpaper-still", "the still time is 0.333 s", movie: { $0.tracks[1].setStill(ticks: 20 * 10) }),
        RuleCase("wallpaper-length", "the movie lasts 3 s") { try $0.makeLockScreen(frames: 180) },
        RuleCase("wallpaper-codec", "the video is H.264 High, level 4.0") { try $0.makeLockScreen(isHEVC: false) },
        RuleCase(
            "wallpaper-size", "the movie is 2560x1440",
            movie: { $0.tracks[0].header.size = FixedSize(PixelSize(width: 2560, height: 1440)) }),
        RuleCase(
            "wallpaper-long-edge", "the movie is 2048x1152",
            movie: { $0.tracks[0].header.size = FixedSize(PixelSize(width: 2048, height: 1152)) }),
        RuleCase("wallpaper-transform", "the still time has no transform") {
            try $0.makeLockScreen(hasTransform: false)
        },
        RuleCase(
            "wallpaper-vitality", "the movie lacks live-photo.auto 1",
            movie: { movie in
                movie.metadata = movie.metadata.map { MetadataBox(items: $0.items.filter { $0.key != .autoplay }) }
            }),
        RuleCase(
            "wallpaper-vitality", "the movie lacks a live-photo.vitality-score of 0.5 or more",
            movie: { movie in
                movie.metadata = movie.metadata.map { metadata in
                    let low = MetadataItem(key: .vitalityScore, value: .float(0.25))
                    return MetadataBox(items: metadata.items.filter { $0.key != .vitalityScore } + [low])
                }
            }),
        RuleCase(
            "wallpaper-loop", "the movie's user data make it a loop",
            movie: { movie in
                movie.others.append(OpaqueBox(type: "udta", payload: hex("0000000c 4c4f4f50 00000000")))
            }),
        steadiness("the camera moves by 12 % of the picture in the second before the still (5; at most 1.67") {
            PictureSteadiness(cameraTravel: 0.12, wholeChange: 5, partialChange: 20, edgeShare: 0.5)
        },
        steadiness("nearly all of the picture changes from frame to frame (5; at most 1.67") {
            PictureSteadiness(cameraTravel: 0, wholeChange: 5, partialChange: 20, edgeShare: 0.5)
        },
        steadiness("parts of the picture change very much from frame to frame (100; at most 70.73") {
            PictureSteadiness(cameraTravel: 0, wholeChange: 1, partialChange: 100, edgeShare: 0.5)
        },
        steadiness("much of the movement is at the edges of the picture (1; at most 0.7") {
            PictureSteadiness(cameraTravel: 0, wholeChange: 1, partialChange: 20, edgeShare: 1)
        },
        RuleCase(
            "wallpaper-single-edit", "the video's edit list has 2 entries",
            movie: { $0.tracks[0].edit?.list?.entries.append(EditListBox.Entry(duration: 20, mediaTime: 0)) }),
        RuleCase("wallpaper-info", "the movie has no live-photo-info track", movie: { $0.tracks.removeLast() }),
        RuleCase(
            "wallpaper-info-setup",
            "the live-photo-info track lacks a version (cfgv) and a picture size (dims)",
            movie: { movie in
                try movie.tracks[2].changeFormat(TimedMetadataSampleEntry.self) { $0.keys[0].others = [] }
            }),
        RuleCase(
            "wallpaper-info-setup", "the live-photo-info track lacks a picture size (dims)",
            movie: { movie in
                try movie.tracks[2].changeFormat(TimedMetadataSampleEntry.self) { entry in
                    entry.keys[0].others = [LivePhotoInfoSetup(dimensions: PixelSize(width: 0, height: 1080)).box]
                }
            }),
        RuleCase(
            "wallpaper-info-times", "the live-photo-info record of the frame at 0 s is at 0.005 s",
            movie: { $0.tracks[2].edit?.list?.entries.insert(EditListBox.Entry(duration: 3, mediaTime: nil), at: 0) }),
        RuleCase(
            "wallpaper-info-times", "the movie has 45 frames and 44 live-photo-info records",
            movie: { movie in
                movie.tracks[2].edit?.list?.entries = [EditListBox.Entry(duration: 440, mediaTime: 0)]
            }),
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.517 s has no homography and blur vector") {
            pair in
            try pair.makeLockScreen { number in
                var record = SamplePair.record(of: number)
                if number == 31 { (record.validMotion, record.validValues) = ([.time], [.motion]) }
                return record
            }
        },
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.3 s has no blur vector") { pair in
            try pair.makeLockScreen { number in
                var record = SamplePair.record(of: number)
                if number == 18 { record.validValues = [.motion] }
                return record
            }
        },
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.333 s has no known version") { pair in
            let record = SamplePair.record(of: 20).bytes
            let place = try #require(pair.movie.firstRange(of: record))
            pair.movie[place.lowerBound] = 4
        },
    ].map { test in
        var test = test
        test.profile = .wallpaper
        return test
    }
}

extension RuleCase {
    private static func steadiness(_ message: String, _ steadiness: () -> PictureSteadiness) -> RuleCase {
        var test = RuleCase("wallpaper-steadiness", message) { _ in }
        test.steadiness = steadiness()
        return test
    }
}

extension SamplePair {
    /// Makes it a pair that meets all that is reported of the lock screen: HEVC at 60 frames a second, 0.75 s.
    mutating func makeLockScreen(
        frames: Int = 45, frameTicks: Int64 = 10, stillFrame: Int64 = 31, isHEVC: Bool = true,
        hasTransform: Bool = true,
        _ record: (Int) throws -> LivePhotoInfo = Self.record
    ) throws {
        try makeWallpaper(
            frames: frames, frameTicks: frameTicks, stillFrame: stillFrame,
            transform: hasTransform ? StillImageTransform(dimensions: Self.size) : nil,
            items: [
                MetadataItem(key: .autoplay, value: .byte(1)), MetadataItem(key: .vitalityScore, value: .float(1)),
                MetadataItem(key: .vitalityScoringVersion, value: .int64(4)),
            ], record)
        if isHEVC { try changeMovie { try $0.tracks[0].makeHEVC() } }
    }
}
