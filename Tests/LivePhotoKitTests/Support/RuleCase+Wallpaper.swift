import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import TestSupport
import Testing

/// Cases for what is reported of the lock screen. They start with a pair that meets all of it.
extension RuleCase {
    static let wallpaper = [
        RuleCase(
            "wallpaper-rate", "the movie has 15 frames a second, not 20",
            movie: { movie in
                for index in [0, 2] {
                    movie.tracks[index].media.information.sampleTable.timeToSample.entries[0].duration = 40
                    movie.tracks[index].edit?.list?.entries[0].duration = 1200
                }
                movie.tracks[1].setStill(ticks: 20 * 40)
            }),
        RuleCase(
            "wallpaper-lead-in", "only 13 frames precede the still time, not 14",
            movie: { $0.tracks[1].setStill(ticks: 13 * 20) }),
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
            "wallpaper-info-times", "the movie has 30 frames and 29 live-photo-info records",
            movie: { movie in
                movie.tracks[2].edit?.list?.entries = [EditListBox.Entry(duration: 580, mediaTime: 0)]
            }),
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.667 s has no homography and blur vector") {
            pair in
            try pair.makeWallpaper { number in
                var record = SamplePair.record(of: number)
                if number == 20 { (record.validMotion, record.validValues) = ([.time], [.motion]) }
                return record
            }
        },
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.233 s has no blur vector") { pair in
            try pair.makeWallpaper { number in
                var record = SamplePair.record(of: number)
                if number == 7 { record.validValues = [.motion] }
                return record
            }
        },
        RuleCase("wallpaper-info-motion", "the live-photo-info record at 0.5 s has no known version") { pair in
            let record = SamplePair.record(of: 15).bytes
            let place = try #require(pair.movie.firstRange(of: record))
            pair.movie[place.lowerBound] = 4
        },
    ].map { test in
        var test = test
        test.profile = .wallpaper
        return test
    }
}
