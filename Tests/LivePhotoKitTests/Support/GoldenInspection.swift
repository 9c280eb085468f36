/// What is to be said of the device's pair.
enum GoldenInspection {
    static let movie = """
        {"kind":"movie","movie":{"contentIdentifier":"00112233-4455-4677-8899-AABBCCDDEEFF","duration":1.4,"file":"IMG_0001.MOV","fileSize":6818,"isFragmented":false,"metadata":[
        {"name":"com.apple.quicktime.location.accuracy.horizontal","type":"UTF-8","value":"5.000000"},
        {"name":"com.apple.quicktime.live-photo.auto","type":"unsigned integer","value":"1"},
        {"name":"com.apple.quicktime.full-frame-rate-playback-intent","type":"signed integer","value":"1"},
        {"name":"com.apple.quicktime.content.identifier","type":"UTF-8","value":"00112233-4455-4677-8899-AABBCCDDEEFF"},
        {"name":"com.apple.quicktime.live-photo.vitality-score","type":"float32","value":"1"},
        {"name":"com.apple.quicktime.live-photo.vitality-scoring-version","type":"signed integer","value":"4"},
        {"name":"com.apple.quicktime.live-photo.subject-relighting-applied-curve-parameter","type":"float32","value":"0.5"},
        {"name":"com.apple.quicktime.location.ISO6709","type":"UTF-8","value":"-12.5000-123.7500+007.400/"},
        {"name":"com.apple.quicktime.make","type":"UTF-8","value":"Apple"},
        {"name":"com.apple.quicktime.model","type":"UTF-8","value":"iPhone 15 Plus"},
        {"name":"com.apple.quicktime.software","type":"UTF-8","value":"18.2"},
        {"name":"com.apple.quicktime.creationdate","type":"UTF-8","value":"2001-02-03T04:05:06+0130"}],
        "problems":[],
        "still":{"frame":27,"others":[
        {"name":"com.apple.quicktime.live-photo-still-image-transform","type":"3×3 matrix of float64","value":"1 0 3.5 0 1 -2.25 0 0 1"},
        {"name":"com.apple.quicktime.live-photo-still-image-transform-reference-dimensions","type":"dimensions of float32","value":"1920 1440"}],
        "time":0.9,"track":5,"value":"ff"},"timescale":600,"tracks":[
        {"codec":"HEVC Main, level 5.0","describes":[],
        "duration":1.4,"edits":[
        {"duration":1.4,"mediaTime":0}],
        "format":"hvc1","id":1,"isEnabled":true,"isEncrypted":false,"keys":[],
        "kind":"video","metadata":[
        {"name":"com.apple.quicktime.camera.lens_model","type":"UTF-8","value":"iPhone 15 Plus back camera 5.96mm f/1.6"},
        {"name":"com.apple.quicktime.camera.focal_length.35mm_equivalent","type":"signed integer","value":"25"}],
        "samples":42,"timescale":600,
        "video":{"bitDepth":8,"cleanAperture":{"height":1308,"horizontalOffset":0,"verticalOffset":0,"width":1744},"color":{"isFullRange":false,"matrix":6,"primaries":12,"transfer":1},"firstFrame":0,"frames":42,"framesPerSecond":30,"height":1440,"orientation":1,"storedHeight":1440,"storedWidth":1920,"width":1920}},
        {"audio":{"channels":1,"sampleRate":44100},"codec":"PCM","describes":[],
        "duration":0.0033333333333333335,"edits":[
        {"duration":0.0033333333333333335,"mediaTime":0}],
        "format":"lpcm","id":2,"isEnabled":true,"isEncrypted":false,"keys":[],
        "kind":"audio","metadata":[],
        "samples":147,"timescale":44100},
        {"codec":"timed metadata","describes":[],
        "duration":1.3333333333333333,"edits":[
        {"duration":1.3333333333333333,"mediaTime":0}],
        "format":"mebx","id":3,"isEnabled":true,"isEncrypted":false,"keys":[
        {"name":"com.apple.quicktime.video-orientation","type":"int16","value":"1"}],
        "kind":"metadata","metadata":[],
        "samples":1,"timescale":600},
        {"codec":"timed metadata","describes":[],
        "duration":1.4,"edits":[
        {"duration":1.4,"mediaTime":0}],
        "format":"mebx","id":4,"isEnabled":true,"isEncrypted":false,"keys":[
        {"name":"com.apple.quicktime.live-photo-info","type":"com.apple.quicktime.com.apple.quicktime.live-photo-info","value":"version 3, 4 bytes"}],
        "kind":"metadata","livePhotoInfo":{"height":1440,"records":[],
        "unreadable":42,"width":1920},"metadata":[],
        "samples":42,"timescale":600},
        {"codec":"timed metadata","describes":[],
        "duration":0.9016666666666666,"edits":[
        {"duration":0.9},
        {"duration":0.0016666666666666668,"mediaTime":0}],
        "format":"mebx","id":5,"isEnabled":true,"isEncrypted":false,"keys":[
        {"name":"com.apple.quicktime.still-image-time","type":"int8","value":"-1"},
        {"name":"com.apple.quicktime.live-photo-still-image-transform","type":"3×3 matrix of float64","value":"1 0 3.5 0 1 -2.25 0 0 1"},
        {"name":"com.apple.quicktime.live-photo-still-image-transform-reference-dimensions","type":"dimensions of float32","value":"1920 1440"}],
        "kind":"metadata","metadata":[],
        "samples":1,"timescale":600}]},"schema":1}
        """

    static let boxes = """
                   0            8  wide
                   8         1173  mdat
                1181         5637  moov
                1189          108    mvhd  840 ticks of 1/600 s
                1734          260              hvc1  HEVC Main, level 5.0, 1920×1440
                1932           18                colr  nclc 12/1/6
                5063           40        elst  540 ticks empty, 1 tick from 0
                2665           20            stsz  42 samples
                3687           52        hdlr  meta “Core Media Metadata”
                4567           67                    dtyp  com.apple.quicktime.com.apple.quicktime.live-photo-info
                4662          161                      cfgv
                5383           48                    keyd  com.apple.quicktime.still-image-time
                5519           16                    dtyp  3×3 matrix of float64
                6485           52          data  UTF-8: 00112233-4455-4677-8899-AABBCCDDEEFF
                6605           20          data  float32: 0.5
        """

    static let photoBoxes = """
                   0           44  ftyp  heic, compatible with mif1, MiHB, MiHE, MiPr and 3 more
                  44         1065  meta
                 125           14    pitm  item 3
                 300           41      infe  item 8, mime
                 480           20        ispe  640×896
                 500           20        ispe  1192×894
                 545           20        ispe  416×312
                 565           20        ispe  596×446
                1109         2417  mdat
        """
}
