/// A Live Photo as an iPhone 15 Plus with iOS 18.2 wrote it, its boxes and fields read off the device's: without pictures,
/// with little sound, a few tiles and the smallest samples. Identifiers, dates, the place and what was measured are made up.
package enum DevicePair {
    package static let contentIdentifier = "00112233-4455-4677-8899-AABBCCDDEEFF"

    /// `IMG_0001.MOV`: 1.4 s, the still at 0.9 s (540 ticks). It has no `ftyp`, as on the device.
    package static let movie: [UInt8] =
        hex(mediaDataHeader)
        + (0..<42).flatMap { _ in hex("00000002 4601") }  // HEVC: an access unit delimiter, and no picture
        + [UInt8](repeating: 0, count: 147 * 2)
        + hex("0000000a 00000001 0001")  // video-orientation: 1
        + (0..<42).flatMap { _ in hex("0000000c 00000001 03000000") }  // live-photo-info: version 3, little-endian
        + hex(stillSample)
        + [movieHeader, videoTrack, audioTrack, orientationTrack, infoTrack, stillTrack, movieMetadata].flatMap(hex)

    private static let mediaDataHeader = """
        00000008 'wide'
        00000495 'mdat'  ; 42 frames, 147 samples of sound, 1 + 42 + 1 of metadata
        """

    private static let stillSample = """
        00000009 00000001 ff  ; still-image-time: -1
        00000050 00000002  ; the transform
        3ff0000000000000 0000000000000000 400c000000000000  ; 1 0 3.5
        0000000000000000 3ff0000000000000 c002000000000000  ; 0 1 -2.25
        0000000000000000 0000000000000000 3ff0000000000000  ; 0 0 1
        00000010 00000003 44f00000 44b40000  ; 1920 1440
        """

    private static let movieHeader = """
        00001605 'moov'  ; all that follows
        0000006c 'mvhd'
          00000000 b6a11eda b6a11eda  ; made, changed
          00000258 00000348  ; 840 ticks of 1/600 s
          00010000 0100 0000 00000000 00000000  ; rate 1, volume 1
          00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000  ; the identity matrix
          00000000 00000000 00000000 00000000 00000000 00000000 00000006  ; nothing selected; the next track is 6
        """

    private static let movieMetadata = """
        0000043a 'meta'  ; QuickTime’s form: no version and flags
          00000022 'hdlr'
            00000000 00000000 'mdta' 0000000000000000000000000000
          0000025a 'keys'
            00000000 0000000c  ; version and flags, 12 keys
            00000038 'mdta'
              'com.apple.quicktime.location.accuracy.horizontal'
            0000002b 'mdta'
              'com.apple.quicktime.live-photo.auto'
            0000003b 'mdta'
              'com.apple.quicktime.full-frame-rate-playback-intent'
            0000002e 'mdta'
              'com.apple.quicktime.content.identifier'
            00000035 'mdta'
              'com.apple.quicktime.live-photo.vitality-score'
            0000003f 'mdta'
              'com.apple.quicktime.live-photo.vitality-scoring-version'
            00000051 'mdta'
              'com.apple.quicktime.live-photo.subject-relighting-applied-curve-parameter'
            0000002c 'mdta'
              'com.apple.quicktime.location.ISO6709'
            00000020 'mdta'
              'com.apple.quicktime.make'
            00000021 'mdta'
              'com.apple.quicktime.model'
            00000024 'mdta'
              'com.apple.quicktime.software'
            00000028 'mdta'
              'com.apple.quicktime.creationdate'
          000001b6 'ilst'
            00000020 00000001
              00000018 'data'
                00000001 00000000  ; UTF-8
                '5.000000'
            00000019 00000002
              00000011 'data'
                00000016 00000000  ; unsigned integer
                01
            00000020 00000003
              00000018 'data'
                00000015 00000000  ; signed integer
                0000000000000001
            0000003c 00000004
              00000034 'data'
                00000001 00000000  ; UTF-8
                '00112233-4455-4677-8899-AABBCCDDEEFF'
            0000001c 00000005
              00000014 'data'
                00000017 00000000  ; float32
                3f800000  ; 1.0
            00000020 00000006
              00000018 'data'
                00000015 00000000  ; signed integer
                0000000000000004
            0000001c 00000007
              00000014 'data'
                00000017 00000000  ; float32
                3f000000  ; 0.5
            00000032 00000008
              0000002a 'data'
                00000001 00000000  ; UTF-8
                '-12.5000-123.7500+007.400/'
            0000001d 00000009
              00000015 'data'
                00000001 00000000  ; UTF-8
                'Apple'
            00000026 0000000a
              0000001e 'data'
                00000001 00000000  ; UTF-8
                'iPhone 15 Plus'
            0000001c 0000000b
              00000014 'data'
                00000001 00000000  ; UTF-8
                '18.2'
            00000030 0000000c
              00000028 'data'
                00000001 00000000  ; UTF-8
                '2001-02-03T04:05:06+0130'
        """
}
