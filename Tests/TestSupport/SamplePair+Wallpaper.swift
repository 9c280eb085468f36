import MediaModel
package import QuickTime

extension SamplePair {
    /// In ticks of 1/600 s, of a frame of a wallpaper.
    package static let wallpaperFrameTicks: Int64 = 20

    /// Makes it a pair of 30 frames a second with a live-photo-info track.
    ///
    /// - Parameters:
    ///   - frameTicks: the duration of a frame.
    ///   - stillFrame: the number of the frame at the still time.
    ///   - transform: from the frame at the still time to the photo.
    ///   - items: metadata of the movie beside the content identifier.
    ///   - record: makes the record of each frame from its number; by default one of a camera that moves by 3 pixels to the right
    ///     with each frame.
    package mutating func makeWallpaper(
        frames: Int = frameCount, frameTicks: Int64 = wallpaperFrameTicks, stillFrame: Int64 = 20,
        transform: StillImageTransform? = nil, items: [MetadataItem] = [],
        _ record: (Int) throws -> LivePhotoInfo = Self.record
    ) throws {
        var metadata = MovieTimedMetadata()
        metadata.setLivePhotoInfo(
            try (0..<frames).map { (Self.ticks(Int64($0) * frameTicks), try record($0)) },
            duration: Self.ticks(Int64(frames) * frameTicks), dimensions: Self.size)
        metadata.stillValues = transform?.values ?? []
        movie = try Self.writtenMovie(
            frames: frames, frameTicks: frameTicks, stillFrame: stillFrame, metadata, items: items)
    }

    package static func record(of frame: Int) -> LivePhotoInfo {
        let distance = Float(frame) * 3
        return LivePhotoInfo(
            time: UInt64(frame) * 33_333_333, motion: LivePhotoInfo.Vector(x: distance, y: 0),
            blur: LivePhotoInfo.Vector(x: 1.5, y: 0), homography: [1, 0, -distance, 0, 1, 0, 0, 0, 1])
    }

    /// A wallpaper whose records have a value in each field.
    package static func withCompleteRecords() throws -> SamplePair {
        var pair = try SamplePair()
        try pair.makeWallpaper { _ in try LivePhotoInfo(hex(completeRecord)) }
        return pair
    }

    /// A record of a camera with a value in each field.
    package static let completeRecord = """
        03000000 00000c3a 0100000000000000  ; version 3; 1/1872 s; the autofocus score
        00000041 000000bf 0000c03e 000000bf  ; moved by (8, -0.5), blurred by (0.375, -0.5)
        0000f83f 0000b43f 02 04 ff00  ; zoom 1.9375, gain 1.40625; focus status and mode; all of these are valid
        01000000  ; 1 face
          a72f03feffffffff  0000003f 0000003f 0000803d 0000803d  e9030000 0000 0700
        01000000 01000000 01000000 01000000  ; 1 human, cat, dog and other object
          a72f03feffffffff  0000003f 0000803e 0000003e 0000003e  f0030000 4301 0f00
          a72f03feffffffff  0000803e 0000803e 0000003e 0000003e  f1030000 4302 0f00
          a72f03feffffffff  0000803e 0000803e 0000003e 0000003e  f2030000 4303 0f00
          a72f03feffffffff  0000803e 0000803e 0000003e 0000003e  f3030000 4304 0f00
        3f00 0000  ; all of the following are valid
        0000803f 00000000 00000000 00000000 0000803f 00000000 00000000 00000000 0000803f  ; the identity
        0b2a1b2225640400 1b1c302225640400  ; time and original time in ns
        01 fe 01 00 00000000 00000000 00000000  ; recipe, displacement, interpolated
        """
}
