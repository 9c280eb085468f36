import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import TestSupport
import Testing

/// Cases for the rules on the still time and on both files of a pair.
extension RuleCase {
    static let stillTime = [
        RuleCase(
            "metadata-track-intact",
            "track 2 is timed metadata without its sample description, as written by ffmpeg -c copy",
            movie: { movie in
                movie.tracks[1].media.handler.subtype = "tmcd"
                movie.tracks[1].media.information.sampleTable.descriptions.entries[0].type = "stts"
            }),
        RuleCase("still-time-present", "the movie has no still image time", movie: { $0.tracks.removeLast() }),
        RuleCase(
            "still-time-present", "no sample of the still-image-time track has a value",
            movie: { try $0.tracks[1].changeFormat(TimedMetadataSampleEntry.self) { $0.keys[0].localID = 7 } }),
        RuleCase(
            "still-time-single", "the movie has 2 still-image-time tracks",
            movie: { movie in
                var second = movie.tracks[1]
                second.header.trackID = 3
                movie.tracks.append(second)
            }),
        RuleCase(
            "still-time-present", "the still-image-time track has no sample",
            movie: { $0.tracks[1].media.information.sampleTable.sampleSizes.sizes = .each([]) }),
        RuleCase(
            "still-time-single", "the still-image-time track has 2 samples",
            movie: { movie in
                var table = movie.tracks[1].media.information.sampleTable
                table.sampleSizes.sizes = .uniform(size: 9, count: 2)
                table.timeToSample.entries[0].count = 2
                table.chunkOffsets.offsets += table.chunkOffsets.offsets
                movie.tracks[1].media.information.sampleTable = table
            }),
        RuleCase(
            "still-time-present", "the still-image-time track cannot be read: mebx is cut off",
            movie: { movie in
                movie.tracks[1].media.information.sampleTable.descriptions.entries[0].payload.removeLast(20)
            }),
        RuleCase(
            "still-time-type", "the still image time is of type unsigned integer, not int8",
            movie: { movie in
                try movie.tracks[1].changeFormat(TimedMetadataSampleEntry.self) { entry in
                    entry.keys[0].dataType = .wellKnown(.unsignedInteger)
                }
            }),
        RuleCase("still-time-value", "the still image time's value is 0, not -1") { pair in
            let sample = try #require(pair.movie.firstRange(of: hex("00000009 00000001 ff")))
            pair.movie[sample.upperBound - 1] = 0
        },
        RuleCase(
            "still-time-inside", "the still image time 2 s is not within the movie, which ends at 2 s",
            movie: { $0.tracks[1].setStill(ticks: 1200) }),
        RuleCase(
            "still-time-inside", "the still image time -0.002 s is not within the movie, which ends at 2 s",
            movie: { movie in
                movie.tracks[1].setStill(ticks: 0)
                movie.tracks[1].edit?.list?.entries = [EditListBox.Entry(duration: 1, mediaTime: 1)]
            }),
        RuleCase(
            "still-time-on-frame", "the still image time 1.358 s is between two frames; the nearest is at 1.333 s",
            movie: { $0.tracks[1].setStill(ticks: 815) }),
        RuleCase(
            "still-time-track-duration", "the still-image-time track lasts 2 s, and the still time is 1.333 s",
            movie: { $0.tracks[1].header.duration = 1200 }),
    ]

    static let pair = [
        RuleCase(
            "identifiers-equal",
            "the photo's content identifier is '11111111-2222-4333-8444-555555555555', the movie's 'CEEE58DF"
        ) {
            try SamplePair.replace(SamplePair.identifier, by: "11111111-2222-4333-8444-555555555555", in: &$0.photo)
        },
        RuleCase(
            "identifiers-equal",
            "the photo's content identifier is '\(SamplePair.identifier.lowercased())', "
                + "the movie's '\(SamplePair.identifier)' (they differ only in case, which matters)"
        ) {
            try SamplePair.replace(SamplePair.identifier, by: SamplePair.identifier.lowercased(), in: &$0.photo)
        },
        RuleCase(
            "identifier-form",
            "the content identifier '\(SamplePair.identifier.lowercased())' is not a UUID in upper case"
        ) { try $0.setIdentifier(SamplePair.identifier.lowercased()) },
        RuleCase(
            "same-orientation", "the photo is 1080x1920 and the movie 1920x1080: one is portrait, the other landscape"
        ) {
            $0.photo = try SamplePair.jpeg(size: SamplePair.size.transposed)
        },
        RuleCase("same-shape", "the photo is 4032x3024 and the movie 1920x1080, which has another aspect ratio") {
            $0.photo = try SamplePair.jpeg(size: PixelSize(width: 4032, height: 3024))
        },
        RuleCase(
            "same-picture", "the photo differs from the movie's frame at the still time (structural similarity 0.39)",
            similarity: 0.39
        ) { _ in },
    ]

    static let folder = [
        RuleCase("same-folder", "the photo is in a, the movie in b") {
            ($0.photoName, $0.movieName) = ("a/IMG_1.JPG", "b/IMG_1.MOV")
        },
        RuleCase("same-name", "the photo is named IMG_1, the movie IMG_2") { $0.movieName = "IMG_2.MOV" },
        RuleCase("photo-alone", "no movie carries the photo's content identifier") { $0.movieName = "" },
        RuleCase("movie-alone", "no photo carries the movie's content identifier") { $0.photoName = "" },
        RuleCase("identifier-shared", "2 files carry the content identifier '\(SamplePair.identifier)'") {
            $0.photoCopyName = "IMG_2.JPG"
        },
    ]
}
