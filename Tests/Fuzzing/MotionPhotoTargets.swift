import Bytes
import MediaModel
import StillImage
import TestSupport

extension FuzzedReader {
    static let gainMaps = FuzzedReader(
        sources: [
            "StillImage/GainMap", "StillImage/GainMapDescription.swift", "StillImage/FurtherPictures.swift",
            "StillImage/JPEG/JPEGGainMap.swift", "StillImage/JPEG/JPEG+MultiPicture.swift",
            "StillImage/HEIF/HEIFGainMap.swift",
        ],
        form: .jpeg, words: jpegWords + ["hdrgm:Version", "http://ns.adobe.com/hdr-gain-map/1.0/", "GainMapMax"],
        samples: gainMapSamples, run: exerciseGainMap)

    static let motionPhotos = FuzzedReader(
        sources: [
            "StillImage/MotionPhoto.swift", "StillImage/MotionPhoto+Pieces.swift", "StillImage/EmbeddedVideo.swift",
            "StillImage/MotionPhotoDescription.swift", "StillImage/MovieSearch.swift",
            "StillImage/XMP/MotionPhotoXMP.swift", "StillImage/XMP/MotionPhotoAddition.swift",
            "StillImage/XMP/MotionPhotoPlaces.swift", "StillImage/XMP/PlainXMP.swift",
        ],
        form: .jpeg, words: jpegWords + ["ftyp", "moov", "mdat", "mpvd", "I:Length", "G:MicroVideoOffset"],
        samples: { jpegSamples() + heifSamples() + [DevicePair.photo] }, run: exerciseMotionPhoto)

    /// The input follows a JPEG.
    static let trailers = FuzzedReader(
        sources: [
            "StillImage/SamsungTrailer.swift", "StillImage/SamsungRecord.swift", "StillImage/MovingPhotoTrailer.swift",
        ],
        words: ["SEFH", "SEFT", "MotionPhoto_Data", "mpv2", "LIVE_", "v3_f30", "0:0", "ftyp"],
        samples: {
            let texts = "v3_f30              0:0                 LIVE_\(movieStart.count + 20)             "
            return [samsungTrailer(movieStart), movieStart + Array(texts.utf8).prefix(60)]
        },
        run: { bytes in
            guard let photo = plainJPEG else { return }
            exerciseMotionPhoto(photo.bytes + bytes)
        })
}

/// A gain map that is found can be added to another photo, which then has it.
private func exerciseGainMap(_ bytes: [UInt8]) {
    if let parameters = try? GainMapParameters(from: ByteReader(bytes, structure: "gain map")) {
        Fuzzing.expect(parameters.gamma > 0 && parameters.maximum >= parameters.minimum, "parameters are impossible")
    }
    if let reader = try? PhotoReader(scratchFile(bytes)) { _ = (try? reader.gainMap())??.headroom }
    let found = FurtherPictures(bytes).gainMap
    if let packet = found?.xmpOfPhoto { Fuzzing.must("XMP of a gain map cannot be read") { _ = try XMP(packet) } }
    let parameters = GainMapParameters(gains: 0...2, headroom: 2, offset: 1.0 / 64)
    for map in [found, try? GainMap(jpeg: bytes, parameters)].compactMap(\.self) {
        guard let photo = plainJPEG?.bytes, let made = try? map.added(to: photo, .rotated90Clockwise) else { continue }
        Fuzzing.must("a photo with a gain map cannot be read") {
            Fuzzing.expect(FurtherPictures(made).gainMap != nil, "a gain map that was added is not found")
            _ = try PhotoMetadata(made)
        }
    }
}

private func gainMapSamples() throws -> [[UInt8]] {
    guard let photo = plainJPEG else { return [] }
    let parameters = GainMapParameters(gains: -0.5...2, headroom: 2, offset: 1.0 / 64)
    return [try GainMap(jpeg: photo.bytes, parameters).added(to: photo.bytes, .upright), DevicePair.photo]
        + jpegSamples()
}

/// A photo without its movie can be read, and a movie that is added is found, byte for byte.
private func exerciseMotionPhoto(_ bytes: [UInt8]) {
    guard let reader = try? PhotoReader(scratchFile(bytes)), let photo = try? MotionPhoto(reader) else { return }
    checkMovie(of: reader, in: bytes)
    _ = try? MotionPhotoDescription(reader)
    if photo.video != nil, let still = try? photo.still() {
        Fuzzing.must("a photo without its movie cannot be read") {
            _ = try PhotoMetadata(PhotoReader(scratchFile(still.allBytes, place: 1)))
        }
    }
    var movie = FilePieces()
    movie.append(sampleMovie)
    let time = MediaTime(value: 1, timescale: 2)
    // One form for each input: all of them take four times as long.
    let additions = kindsOfAdditions[bytes.count % kindsOfAdditions.count]
    guard let made = try? photo.with(movie, presentationTime: time, movingIdentifier: true, additions: additions)
    else { return }
    let new = made.allBytes
    Fuzzing.must("a new motion photo cannot be read") {
        guard let video = try EmbeddedVideo(PhotoReader(scratchFile(new, place: 1))) else {
            Fuzzing.fail("the movie of a new motion photo is not found")
        }
        Fuzzing.expect(new[video.range].starts(with: sampleMovie), "the movie of a new motion photo is another one")
        Fuzzing.expect(
            video.presentationTime == time || video.presentationTime == nil,
            "the time of a new motion photo is another one")
    }
}

private let kindsOfAdditions: [Set<MotionPhotoAddition>] = [
    [], [.samsungRecord], [.oppoProperties, .vivoProperty], [.huaweiTrailer(coverFrame: 3)],
]

private let sampleMovie = Fuzzing.must("the sample cannot be made") { try movieSamples()[0] }
