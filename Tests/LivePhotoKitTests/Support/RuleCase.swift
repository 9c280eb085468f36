import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import TestSupport
import Testing

/// A pair that breaks one rule, and what is said of it.
struct RuleCase: CustomTestStringConvertible {
    let rule: String
    /// What is found, or how it begins.
    let message: String
    var profile = Profile.any
    /// Of photo and frame.
    var similarity = 1.0
    /// Of the movie's pictures.
    var steadiness = PictureSteadiness(cameraTravel: 0, wholeChange: 1, partialChange: 20, edgeShare: 0.5)
    let breaking: @Sendable (inout SamplePair) throws -> Void

    var testDescription: String { "\(rule): \(message)" }

    init(
        _ rule: String, _ message: String, profile: Profile = .any, similarity: Double = 1,
        _ breaking: @escaping @Sendable (inout SamplePair) throws -> Void
    ) {
        self.rule = rule
        self.message = message
        self.profile = profile
        self.similarity = similarity
        self.breaking = breaking
    }

    /// One that needs nothing but another `moov`.
    init(
        _ rule: String, _ message: String, profile: Profile = .any,
        movie change: @escaping @Sendable (inout MovieBox) throws -> Void
    ) {
        self.init(rule, message, profile: profile) { try $0.changeMovie(change) }
    }

    static let all = photo + movie + classic + modern + stillTime + pair + wallpaper + folder

    private static let photo = [
        RuleCase("photo-readable", "the photo cannot be read: JPEG is cut off at byte 263") {
            $0.photo.removeLast(12)
        },
        RuleCase("photo-readable", "the photo cannot be read: photo has a form that is not supported") {
            $0.photo = Array("Dear reader".utf8)
        },
        RuleCase("photo-whole", "the photo is cut off: ") { $0.photo.removeLast(2) },
        RuleCase("photo-identifier", "the photo has no Exif data") { $0.photo[3] = 0xEC },
        RuleCase("photo-identifier", "the photo has a MakerNote that is not Apple's") {
            try SamplePair.replace("Apple iOS", by: "apple iOS", in: &$0.photo)
        },
        RuleCase("photo-extension", "the photo is a JPEG and is named .HEIC") { $0.photoName = "IMG_1.HEIC" },
    ]

    private static let movie = [
        RuleCase("movie-readable", "the movie cannot be read: moov is cut off") { $0.movie.removeLast() },
        RuleCase("movie-readable", "the movie cannot be read: movie lacks a part") { $0.movie = [] },
        RuleCase("movie-identifier", "the movie has no content identifier", movie: { $0.metadata = nil }),
        RuleCase("movie-extension", "the movie is named .mp4, not .MOV") { $0.movieName = "IMG_1.mp4" },
        RuleCase("movie-brand", "the movie's brand is 'mp42', not 'qt  '") {
            $0.movie.replaceSubrange(8..<20, with: Array("mp42\0\0\0\0isom".utf8))
        },
        RuleCase("movie-brand", "the movie has no brand (ftyp)") {
            $0.movie.replaceSubrange(4..<8, with: Array("free".utf8))
        },
        RuleCase(
            "movie-tables", "sample 29 of track 1, at byte 100000000, lies beyond the end of the file",
            movie: { movie in
                let last = movie.tracks[0].media.information.sampleTable.chunkOffsets.offsets.count - 1
                movie.tracks[0].media.information.sampleTable.chunkOffsets.offsets[last] = 100_000_000
            }),
        RuleCase(
            "movie-tables", "stts of track 1 lacks a part",
            movie: { $0.tracks[0].media.information.sampleTable.timeToSample.entries = [] }),
        RuleCase(
            "movie-tables", "the movie's trak cannot be read: trak lacks a part",
            movie: { $0.others.append(OpaqueBox(type: "trak")) }),
        RuleCase("movie-whole", "the movie is in fragments", movie: { $0.others.append(OpaqueBox(type: "mvex")) }),
        RuleCase(
            "movie-video", "the movie has no video track",
            movie: { $0.tracks[0].media.handler = $0.tracks[1].media.handler }),
        RuleCase(
            "movie-video", "the movie has 2 video tracks",
            movie: { movie in
                var second = movie.tracks[0]
                second.header.trackID = 3
                movie.tracks.append(second)
            }),
        RuleCase(
            "movie-codec", "the video is ProRes 422",
            movie: { movie in
                try movie.tracks[0].changeVideo { ($0.type, $0.configuration) = ("apcn", nil) }
            }),
        RuleCase(
            "movie-codec", "the video is H.264 High, level 4.0, encrypted",
            movie: { movie in
                try movie.tracks[0].changeVideo { video in
                    video.type = "encv"
                    video.others = [OpaqueBox(type: "sinf", payload: hex("0000000c 66726d61") + Array("avc1".utf8))]
                }
            }),
        RuleCase(
            "movie-codec", "the video is of no format",
            movie: { $0.tracks[0].media.information.sampleTable.descriptions.entries = [] }),
        RuleCase(
            "movie-codec", "the video is of a format that cannot be read: avc1 is cut off",
            movie: { movie in
                movie.tracks[0].media.information.sampleTable.descriptions.entries[0].payload.removeLast(100)
            }),
        RuleCase(
            "movie-codec-profile", "the video is H.264 High 4:2:2",
            movie: { movie in
                try movie.tracks[0].changeVideo { video in
                    video.configuration?.profile = 122
                    video.configuration?.highProfile?.chromaFormat = 2
                }
            }),
        RuleCase(
            "movie-codec-profile", "the video is H.264 High 10, level 4.0",
            movie: { movie in
                try movie.tracks[0].changeVideo { video in
                    video.configuration?.profile = 110
                    video.configuration?.highProfile?.lumaBitDepth = 10
                }
            }),
        RuleCase(
            "movie-codec-profile", "the video is HEVC",
            movie: { try $0.tracks[0].makeHEVC(profile: 4, bitDepth: 12) }),
        RuleCase(
            "movie-codec-profile",
            "the video is HEVC Main, level 4.0, of type hev1, which keeps parameter sets among the frames",
            movie: { try $0.tracks[0].makeHEVC("hev1") }),
        RuleCase(
            "movie-codec-profile",
            "the video is HEVC Main, level 4.0, without parameter sets in the sample description",
            movie: { try $0.tracks[0].makeHEVC(hasSets: false) }),
        RuleCase(
            "movie-start", "the movie's first frame is at 0.067 s",
            movie: { movie in
                movie.tracks[0].edit?.list?.entries.insert(EditListBox.Entry(duration: 40, mediaTime: nil), at: 0)
            }),
    ]

    private static let classic = [
        RuleCase(
            "classic-codec", "the video is HEVC Main, level 4.0, not H.264", profile: .classic,
            movie: { try $0.tracks[0].makeHEVC() }),
        RuleCase("classic-size", "the movie is 2560x1440", profile: .classic) { pair in
            try pair.changeMovie { $0.tracks[0].header.size = FixedSize(PixelSize(width: 2560, height: 1440)) }
        },
        RuleCase(
            "classic-rate", "the movie has 30.0 frames a second", profile: .classic,
            movie: { movie in
                movie.setFrames(ticks: 20)
                movie.tracks[1].setStill(ticks: 400)
            }),
    ]

    /// Of a pair that `makeModern` made.
    private static let modern = [
        RuleCase(
            "modern-codec", "the video is H.264 High, level 4.0, not HEVC", profile: .modern,
            { pair in
                pair = try SamplePair()
                try pair.changeMovie { movie in
                    movie.setFrames(ticks: 20)
                    movie.tracks[1].setStill(ticks: 400)
                }
            }),
        RuleCase("modern-size", "the movie is 2560x1440", profile: .modern) { pair in
            try pair.changeMovie { $0.tracks[0].header.size = FixedSize(PixelSize(width: 2560, height: 1440)) }
        },
        RuleCase(
            "modern-rate", "the movie has 15.0 frames a second", profile: .modern,
            movie: { $0.setFrames(ticks: 40) }),
    ]
}

extension SamplePair {
    /// Says that the video is HEVC at 30 frames a second.
    mutating func makeModern() throws {
        try changeMovie { movie in
            try movie.tracks[0].makeHEVC()
            movie.setFrames(ticks: 20)
            movie.tracks[1].setStill(ticks: 400)
        }
    }
}

extension MovieBox {
    fileprivate mutating func setFrames(ticks: UInt32) {
        tracks[0].media.information.sampleTable.timeToSample.entries[0].duration = ticks
    }
}

extension TrackBox {
    fileprivate mutating func changeVideo(_ change: (inout VisualSampleEntry) throws -> Void) throws {
        try changeFormat(VisualSampleEntry.self, change)
    }

    /// Says that the video is HEVC, 4:2:0.
    mutating func makeHEVC(
        _ type: FourCC = "hvc1", profile: UInt8 = 1, bitDepth: UInt8 = 8, hasSets: Bool = true
    ) throws {
        try changeVideo { video in
            video.type = type
            video.configuration = nil
            let depth = 0xF8 | (bitDepth - 8)
            // Version 1, level 4.0; ISO/IEC 14496-15, 8.3.3.
            video.others = [
                OpaqueBox(
                    type: "hvcC",
                    payload: [1, profile] + hex("60000000 900000000000 78 f000 fc fd") + [depth, depth]
                        + hex("0000 0f") + (hasSets ? hex("03 a0 0001 0001 40 a1 0001 0001 42 a2 0001 0001 44") : [0]))
            ]
        }
    }

    /// Puts the sample of a still-image-time track to another time.
    mutating func setStill(ticks: UInt64) {
        header.duration = ticks + 1
        let empty = ticks == 0 ? [] : [EditListBox.Entry(duration: ticks, mediaTime: nil)]
        edit?.list?.entries = empty + [EditListBox.Entry(duration: 1, mediaTime: 0)]
    }
}
