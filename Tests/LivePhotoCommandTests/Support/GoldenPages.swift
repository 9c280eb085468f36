/// What `inspect` prints of the device's pair.
enum GoldenPages {
    static let movie = """
        IMG_0001.MOV
          movie               without a brand (ftyp), 6818 bytes, 1.4 s
          content identifier  00112233-4455-4677-8899-AABBCCDDEEFF
          still               0.9 s, frame #27 of 42, by track 5, value ff
                              live-photo-still-image-transform: 1 0 3.5 0 1 -2.25 0 0 1
                              live-photo-still-image-transform-reference-dimensions: 1920 1440
          track 1             video, HEVC Main, level 5.0 (hvc1), 1920x1440, clean aperture 1744x1308, 42 frames, 30 fps, colour 12/1/6, 1.4 s
                              camera.lens_model: iPhone 15 Plus back camera 5.96mm f/1.6
                              camera.focal_length.35mm_equivalent: 25
          track 2             audio, PCM (lpcm), 44100 Hz, 1 channel, 0.003 s
          track 3             metadata, timed metadata (mebx), 1 sample, 1.333 s
                              video-orientation (int16): 1
          track 4             metadata, timed metadata (mebx), 42 samples, 1.4 s
                              live-photo-info (com.apple.quicktime.com.apple.quicktime.live-photo-info): version 3, 4 bytes
                              42 records of a form that cannot be read
          track 5             metadata, timed metadata (mebx), 1 sample, 0.902 s
                              still-image-time (int8): -1
                              live-photo-still-image-transform (3×3 matrix of float64): 1 0 3.5 0 1 -2.25 0 0 1
                              live-photo-still-image-transform-reference-dimensions (dimensions of float32): 1920 1440
          metadata
            com.apple.quicktime.location.accuracy.horizontal              5.000000
            com.apple.quicktime.live-photo.auto                           1
            com.apple.quicktime.full-frame-rate-playback-intent           1
            com.apple.quicktime.content.identifier                        00112233-4455-4677-8899-AABBCCDDEEFF
            com.apple.quicktime.live-photo.vitality-score                 1
            com.apple.quicktime.live-photo.vitality-scoring-version       4
            com.apple.quicktime.live-photo.subject-relighting-applied-curve-parameter 0.5
            com.apple.quicktime.location.ISO6709                          -12.5000-123.7500+007.400/
            com.apple.quicktime.make                                      Apple
            com.apple.quicktime.model                                     iPhone 15 Plus
            com.apple.quicktime.software                                  18.2
            com.apple.quicktime.creationdate                              2001-02-03T04:05:06+0130

        """

    static let photo = """
        IMG_0001.HEIC
          photo               HEIC, 1192x894, 3526 bytes
          orientation         1 (upright)
          content identifier  00112233-4455-4677-8899-AABBCCDDEEFF
          shot                2001-02-03T04:05:06+0130, Apple, iPhone 15 Plus
          place               -12.5, -123.75, altitude 7.4 m
          gain map            596x446, ISO 21496-1, Apple, HDR up to 4 times the white of SDR
          IFD0
            Make            Apple
            Model           iPhone 15 Plus
            Orientation     1
            XResolution     72/1
            YResolution     72/1
            ResolutionUnit  2
            Software        18.2
            DateTime        2001:02:03 04:05:06
            HostComputer    iPhone 15 Plus
          Exif
            ExposureTime             1/2000
            FNumber                  8/5
            ExposureProgram          2
            PhotographicSensitivity  50
            ExifVersion              0232
            DateTimeOriginal         2001:02:03 04:05:06
            DateTimeDigitized        2001:02:03 04:05:06
            OffsetTime               +01:30
            OffsetTimeOriginal       +01:30
            OffsetTimeDigitized      +01:30
            ShutterSpeedValue        11/1
            ApertureValue            68/50
            BrightnessValue          9/1
            ExposureBiasValue        0/1
            MeteringMode             5
            Flash                    16
            FocalLength              149/25
            SubjectArea              596, 447, 200, 200
            SubSecTimeOriginal       250
            SubSecTimeDigitized      250
            ColorSpace               65535
            PixelXDimension          1192
            PixelYDimension          894
            SensingMethod            2
            SceneType                1
            ExposureMode             0
            WhiteBalance             0
            FocalLengthIn35mmFilm    26
            LensSpecification        154/100, 149/25, 8/5, 12/5
            LensMake                 Apple
            LensModel                iPhone 15 Plus back dual wide camera 5.96mm f/1.6
            CompositeImage           2
          GPS
            GPSLatitudeRef        S
            GPSLatitude           12/1, 30/1, 0/100
            GPSLongitudeRef       W
            GPSLongitude          123/1, 45/1, 0/100
            GPSAltitudeRef        0
            GPSAltitude           37/5
            GPSTimeStamp          2/1, 35/1, 600/100
            GPSSpeedRef           K
            GPSSpeed              1/2
            GPSImgDirectionRef    T
            GPSImgDirection       45/1
            GPSDestBearingRef     T
            GPSDestBearing        45/1
            GPSDateStamp          2001:02:03
            GPSHPositioningError  5/1
          Apple MakerNote
            MakerNoteVersion               15
            AEMatrix                       16 bytes
            RunTime                        104 bytes
            AEStable                       0
            AETarget                       180
            AEAverage                      200
            AFStable                       1
            AccelerationVector             -1/1, -1/32, 1/4
            FocusDistanceRange             9/32, 1/8
            0x000d                         42
            0x000e                         4
            0x0010                         1
            ContentIdentifier              00112233-4455-4677-8899-AABBCCDDEEFF
            ImageCaptureType               12
            LivePhotoVideoIndex            8589934592
            ImageProcessingFlags           131072
            QualityHint                    q500n
            PhotosAppFeatureFlags          0
            ImageCaptureRequestID          00112233-4455-4677-8899-AABBCCDDEE01
            HDRHeadroom                    101/100
            AFPerformance                  250, 268435556
            SceneFlags                     6
            SignalToNoiseRatioType         3
            SignalToNoiseRatio             121/2
            PhotoIdentifier                00112233-4455-4677-8899-AABBCCDDEE02
            ColorTemperature               5200
            CameraType                     1
            FocusPosition                  57
            HDRGain                        3/1000
            0x0036                         43520
            0x0037                         4
            0x003a                         100
            0x003b                         0
            0x003c                         4
            GreenGhostMitigationStatus     0
            SemanticStyle                  74 bytes
            SemanticStyleRenderingVersion  0
            0x0043                         0
            0x0044                         0
            FrontFacingCamera              0
            0x0046                         0
            0x004a                         2
            0x004d                         30/1
            0x004e                         121 bytes
            0x004f                         43 bytes
            0x0052                         0
            0x0053                         2
            0x0055                         220
            0x0058                         2300

        """

    static let pair = """

        a pair: both have the content identifier 00112233-4455-4677-8899-AABBCCDDEEFF; 'livephoto verify' checks it further

        """
}
