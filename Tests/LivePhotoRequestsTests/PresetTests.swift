import LivePhotoRequests
import MediaModel
import Testing

@Suite struct ShippedPresetTests {
    private let library = PresetLibrary()

    @Test func `classic is what it is documented to be`() throws {
        let classic = try library.preset(named: PresetLibrary.defaultName)
        let oneAndAHalf = MediaTime(value: 3, timescale: 2)
        #expect(classic.name == "classic")
        #expect(classic.description == "12-15 fps, 1080p H.264, 3 seconds")
        #expect(classic.window.before == oneAndAHalf && classic.window.after == oneAndAHalf)
        #expect(classic.window.still == nil && classic.window.duration == nil)
        #expect(classic.window.start == nil && classic.window.end == nil)
        #expect(
            classic.picture.framing == Framing() && classic.picture.hdr == .toneMap
                && classic.picture.toneMapping == .mobius)
        #expect(classic.picture.background == .black)
        #expect(classic.metadata == .keep)
        #expect(classic.video.codec == .h264 && classic.photo.format == .jpeg)
        #expect(classic.video.frameRate.description == "12-15")
        #expect(classic.video.maxSize.description == "1920x1080")
        #expect(classic.video.x264Preset == .faster)
        #expect(classic.video.crf.description == "20")
        #expect(classic.video.x265Preset == .medium && classic.video.x265CRF.description == "21")
        #expect(classic.audio.mode == .keep)
        #expect(classic.audio.bitrate.bitsPerSecond == 128_000)
        #expect(classic.photo.quality.value == 92)
        #expect(classic.limits.timeout.duration == .seconds(1800) && classic.limits.memory == nil)
    }

    @Test func `classic lists each key, so that its file can be taken as the list of them`() throws {
        func keys(_ yaml: String) -> [Substring] {
            yaml.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }.map { $0.prefix { $0 != ":" } }
        }
        let whole = try library.preset(named: "classic").yaml
        #expect(whole.contains("\n  still: null\n") && whole.contains("\nmetadata: keep\n"))
        #expect(try keys(library.yaml(of: "classic")) == keys(whole))
    }

    @Test func `smooth, compact, modern and wallpaper change only what they say`() throws {
        var smooth = try library.preset(named: "classic")
        smooth.name = "smooth"
        smooth.description = "up to 30 fps, 1080p H.264, 3 seconds"
        smooth.video.frameRate = try FrameRateRange("24000/1001-30")
        #expect(try library.preset(named: "smooth") == smooth)

        var compact = try library.preset(named: "classic")
        compact.name = "compact"
        compact.description = "12-15 fps, 720p H.264, 3 seconds, small files"
        compact.video.maxSize = try MaximumSize("1280x720")
        compact.video.crf = try X264RateFactor("24")
        compact.video.x265CRF = try ConstantRateFactor("25")
        compact.audio.bitrate = try BitRate("96k")
        compact.photo.quality = try PhotoQuality("85")
        #expect(try library.preset(named: "compact") == compact)

        var modern = try library.preset(named: "classic")
        modern.name = "modern"
        modern.description = "up to 30 fps, up to 1920x1440, HEVC, HEIC and HDR, 3 seconds"
        modern.video.codec = .hevc
        modern.video.frameRate = try FrameRateRange("24000/1001-30")
        modern.video.maxSize = try MaximumSize("1920x1440")
        modern.photo.format = .heic
        modern.picture.hdr = .keep
        #expect(try library.preset(named: "modern") == modern)

        var wallpaper = try library.preset(named: "classic")
        wallpaper.name = "wallpaper"
        wallpaper.description = try library.preset(named: "wallpaper").description
        wallpaper.picture.framing.shape = .fill(AspectRatio(18, 39))
        wallpaper.video.frameRate = try FrameRateRange("20-60")
        (wallpaper.window.before, wallpaper.window.after) = (try MediaTime("1.2"), try MediaTime("0.6"))
        (wallpaper.video.codec, wallpaper.video.livePhotoInfo) = (.hevc, .still)
        (wallpaper.video.stillTransform, wallpaper.video.vitality) = (.on, .on)
        #expect(try library.preset(named: "wallpaper") == wallpaper)
    }

    @Test func `every shipped preset loads under its name and shows its file`() throws {
        #expect(library.names == ["classic", "smooth", "compact", "modern", "wallpaper"])
        for name in library.names {
            #expect(try library.preset(named: name).name == name)
            #expect(try library.resolve(name).name == name)
            // A copy under another name has that name.
            #expect(try !library.yaml(of: name).contains("name: "))
        }
    }

    @Test(arguments: [
        (FrameRate(24), FrameRate(24)), (FrameRate(25), FrameRate(25)), (FrameRate(30), FrameRate(30)),
        (FrameRate(50), FrameRate(25)), (FrameRate(60), FrameRate(30)), (FrameRate(48), FrameRate(24)),
        (FrameRate(120), FrameRate(30)), (FrameRate(240), FrameRate(30)), (FrameRate(100), FrameRate(25)),
        (FrameRate(24000, 1001), FrameRate(24000, 1001)), (FrameRate(48000, 1001), FrameRate(24000, 1001)),
        (FrameRate(30000, 1001), FrameRate(30000, 1001)), (FrameRate(60000, 1001), FrameRate(30000, 1001)),
    ])
    func `smooth takes every n-th frame of each usual rate`(source: FrameRate?, expected: FrameRate?) throws {
        let range = try library.preset(named: "smooth").video.frameRate
        let source = try #require(source)
        let kept = (1...240).lazy.compactMap { source.divided(by: $0) }.first { range.contains($0) }
        #expect(kept == expected)
    }
}

private let lines = [
    "name: full", "description: all keys", "extends: null",
    "window: {before: 1, after: 2, still: null, start: null, end: null, duration: null}",
    "video: {codec: h264, frameRate: 12-15, maxSize: 1920x1080, x264Preset: faster, crf: 20, x265Preset: medium, "
        + "x265Crf: 21}",
    "audio: {mode: keep, bitrate: 128k}", "photo: {format: jpeg, quality: 92}",
    "picture: {crop: null, fill: null, fit: null, toneMap: mobius, background: black, hdr: tone-map}", "metadata: keep",
    "limits: {timeout: 1800, memory: null}",
]

private func preset(_ yaml: String) throws -> Preset {
    try PresetLibrary(shipped: [("full", yaml), ("classic", lines.joined(separator: "\n"))]).preset(named: "full")
}

@Suite struct PresetKeyTests {
    @Test(arguments: [
        ("name: full", "name: other"), ("all keys", "other words"), ("before: 1", "before: 1.25"),
        ("after: 2", "after: 250ms"), ("frameRate: 12-15", "frameRate: 30000/1001"), ("1920x1080", "1280x720"),
        ("faster", "slower"), ("crf: 20", "crf: 20.5"), ("codec: h264", "codec: hevc"), ("medium", "slow"),
        ("x265Crf: 21", "x265Crf: 22.5"),
        ("format: jpeg", "format: heic"), ("mode: keep", "mode: none"), ("128k", "96000"),
        ("quality: 92", "quality: 80"), ("still: null", "still: '#37'"), ("start: null", "start: 1:02.5"),
        ("end: null", "end: 75%"), ("duration: null", "duration: 2"), ("crop: null", "crop: '0,2,8,8'"),
        ("fill: null", "fill: 3:4"), ("fit: null", "fit: '3:4'"), ("mobius", "hable"),
        ("background: black", "background: white"), ("hdr: tone-map", "hdr: keep"),
        ("metadata: keep", "metadata: no-location"), ("metadata: keep", "metadata: none"),
        ("timeout: 1800", "timeout: 0"), ("memory: null", "memory: 700"), ("crf: 20", "crf: 20, livePhotoInfo: true"),
        ("crf: 20", "crf: 20, livePhotoInfo: still"), ("crf: 20", "crf: 20, repeatFrames: true"),
        ("crf: 20", "crf: 20, stillTransform: true"), ("crf: 20", "crf: 20, vitality: true"),
    ])
    func `each key is read: another value makes another preset, alone and over a base`(old: String, new: String) throws
    {
        let yaml = lines.joined(separator: "\n")
        #expect(yaml.split(separator: old, omittingEmptySubsequences: false).count == 2)
        let changed = yaml.replacing(old, with: new)
        #expect(try preset(changed) != preset(yaml))
        let derived = changed.replacing("extends: null", with: "extends: classic")
        #expect(try preset(derived) == preset(changed))
    }

    @Test(arguments: [
        ("codec: h264, ", "video.codec", 5, 8), ("frameRate: 12-15, ", "video.frameRate", 5, 8),
        ("maxSize: 1920x1080, ", "video.maxSize", 5, 8), ("x264Preset: faster, ", "video.x264Preset", 5, 8),
        (", crf: 20", "video.crf", 5, 8), ("x265Preset: medium, ", "video.x265Preset", 5, 8),
        (", x265Crf: 21", "video.x265Crf", 5, 8), ("before: 1, ", "window.before", 4, 9),
        (", after: 2", "window.after", 4, 9),
        ("mode: keep, ", "audio.mode", 6, 8), (", bitrate: 128k", "audio.bitrate", 6, 8),
        ("format: jpeg, ", "photo.format", 7, 8), (", quality: 92", "photo.quality", 7, 8),
        ("description: all keys", "description", 1, 1), (lines[3], "window", 1, 1),
        (lines[4], "video", 1, 1), (lines[5], "audio", 1, 1), (lines[6], "photo", 1, 1),
        (", toneMap: mobius", "picture.toneMap", 8, 10), (", background: black", "picture.background", 8, 10),
        (", hdr: tone-map", "picture.hdr", 8, 10), (lines[7], "picture", 1, 1), (lines[8], "metadata", 1, 1),
        ("timeout: 1800, ", "limits.timeout", 10, 9), (lines[9], "limits", 1, 1),
    ])
    func `each key but the name is needed without a base, and comes from the base where there is one`(
        text: String, key: String, line: Int, column: Int
    ) throws {
        let yaml = lines.joined(separator: "\n")
        let lacking = yaml.replacing(text, with: "")
        let error = #expect(throws: LivePhotoError.self) { try preset(lacking) }
        #expect(error?.code == .missingKey)
        #expect(error?.description == "full.yaml:\(line):\(column): the key '\(key)' is missing")

        let derived = lacking.replacing("extends: null", with: "extends: classic")
        #expect(try preset(derived) == preset(yaml))
    }

    @Test func `a preset whose file does not say its name has that of the file`() throws {
        let yaml = lines.joined(separator: "\n")
        #expect(try preset(yaml.replacing("name: full\n", with: "")) == preset(yaml))
    }

    @Test(arguments: [
        ("still", "'#37'"), ("start", "1"), ("end", "50%"), ("duration", "2"), ("crop", "'0,2,8,8'"), ("fill", "3:4"),
        ("fit", "3:4"),
    ])
    func `what may be unset is inherited, is unset by null, and is unset where nobody says it`(
        key: String, value: String
    ) throws {
        let yaml = lines.joined(separator: "\n")
        let base = yaml.replacing("\(key): null", with: "\(key): \(value)")
        func derived(_ changed: String) throws -> Preset {
            let yaml = changed.replacing("extends: null", with: "extends: classic")
            return try PresetLibrary(shipped: [("full", yaml), ("classic", base)]).preset(named: "full")
        }
        let lacking = yaml.replacing("\(key): null, ", with: "").replacing(", \(key): null", with: "")
        #expect(lacking != yaml)
        #expect(try derived(lacking) == preset(base))
        #expect(try derived(yaml) == preset(yaml))
        #expect(try preset(lacking) == preset(yaml))
    }

    @Test(arguments: [
        ("fill: 1:1", "fit: 3:4", "fit: 3:4"), ("fit: 1:1", "fill: 3:4", "fill: 3:4"),
        ("fill: 1:1", "fit: null", "fill: 1:1"),
        ("fill: 1:1", "fill: null", ""), ("fit: 1:1", "fit: null", ""),
        ("fit: 1:1", "fill: null, fit: 3:4", "fit: 3:4"),
    ])
    func `a shape takes the inherited one's place, whichever way it is made in`(
        base: String, own: String, expected: String
    ) throws {
        let yaml = lines.joined(separator: "\n")
        func setting(_ shape: String) -> String {
            yaml.replacing("fill: null, fit: null", with: shape.isEmpty ? "fill: null" : shape)
        }
        let derived = setting(own).replacing("extends: null", with: "extends: classic")
        let library = PresetLibrary(shipped: [("full", derived), ("classic", setting(base))])
        #expect(try library.preset(named: "full") == preset(setting(expected)))
    }

    @Test(arguments: [
        ("all keys", "'a: b # c'"), ("all keys", #""\"\\ \uFEFF é""#), ("all keys", "'null'"),
        ("all keys", #""\uFFFE\uFFFF""#),
        ("all keys", "' x '"), ("all keys", "'- x'"), ("all keys", "'*x'"),
        ("still: null", "still: '#37'"), ("still: null", "still: 12.3456%"), ("start: null", "start: 1500ms"),
        ("duration: null", "duration: 0.000000001"), ("crop: null", "crop: '0,2,8,8'"), ("fill: null", "fill: 3:4"),
        ("fit: null", "fit: 3:4"), ("frameRate: 12-15", "frameRate: 24000/1001-30"), ("crf: 20", "crf: 20.25"),
        ("128k", "44100"), ("metadata: keep", "metadata: no-location"), ("mode: keep", "mode: none"),
        ("background: black", "background: '#1E90FF'"), ("background: black", "background: 00007f"),
    ])
    func `a preset written out whole is read as the same preset`(old: String, new: String) throws {
        let yaml = lines.joined(separator: "\n")
        #expect(yaml.contains(old))
        let changed = try preset(yaml.replacing(old, with: new))
        #expect(try preset(changed.yaml) == changed)
        #expect(try changed != preset(yaml))
    }

    @Test func `extends may be left out, and JSON is as good as YAML`() throws {
        let yaml = lines.filter { !$0.hasPrefix("extends") }.joined(separator: "\n")
        #expect(try preset(yaml) == preset(lines.joined(separator: "\n")))
        let json = """
            {"name": "full", "description": "all keys", "window": {"before": 1, "after": 2.0},
            "video": {"codec": "h264", "frameRate": "12-15", "maxSize": "1920x1080", "x264Preset": "faster", "crf": 20,
            "x265Preset": "medium", "x265Crf": 21},
            "audio": {"mode": "keep", "bitrate": 128000}, "photo": {"format": "jpeg", "quality": 92},
            "picture": {"toneMap": "mobius", "background": "#000000", "hdr": "tone-map"}, "metadata": "keep",
            "limits": {"timeout": 1800}}
            """
        #expect(try preset(json) == preset(yaml))
    }
}

/// What to replace in `lines`, by what, the code, and the message with its place.
private let faults: [(old: String, new: String, code: LivePhotoError.Code, message: String)] = [
    ("codec", "codce", .unknownKey, "5:9: unknown key 'codce'; did you mean 'codec'?"),
    ("crf:", "framerate:", .unknownKey, "5:80: unknown key 'framerate'; did you mean 'frameRate'?"),
    ("photo", "thumbnail", .unknownKey, "7:1: unknown key 'thumbnail'"),
    (
        "128k", "loud", .invalidValue,
        "6:30: audio.bitrate: 'loud' is not a bit rate; write bits per second from 8k to 512k, such as 128k or 128000"
    ),
    (
        "128k", "99999999999999999999", .invalidValue,
        "6:30: audio.bitrate: '99999999999999999999' is not a bit rate; write bits per second from 8k to 512k, such as 128k or 128000"
    ),
    (
        "crf: 20", "crf: 99", .invalidValue,
        "5:85: video.crf: '99' is not a CRF; write a number from 1 to 51 with at most two decimals"
    ),
    ("h264", "av1", .invalidValue, "5:16: video.codec: 'av1' is not a video codec; write h264 or hevc"),
    ("jpeg", "null", .wrongType, "7:17: photo.format: expected a value, found nothing"),
    ("crf: 20", "crf: [20]", .wrongType, "5:85: video.crf: expected a value, found a list"),
    ("crf: 20", "crf: {}", .wrongType, "5:85: video.crf: expected a value, found keys with values"),
    ("crf: 20", "crf: ", .wrongType, "5:85: video.crf: expected a value, found nothing"),
    ("crf: 20", "crf: null", .wrongType, "5:85: video.crf: expected a value, found nothing"),
    ("{mode: keep, bitrate: 128k}", "none", .wrongType, "6:8: audio: expected keys with values, found 'none'"),
    ("{mode: keep, bitrate: 128k}", "[keep, 128k]", .wrongType, "6:8: audio: expected keys with values, found a list"),
    ("{mode: keep, bitrate: 128k}", "", .wrongType, "6:7: audio: expected keys with values, found nothing"),
    ("name: full", "name: ''", .invalidValue, "1:7: name: '' is not one line of text"),
    ("name: full", #"name: "a\nb""#, .invalidValue, #"1:7: name: 'a\nb' is not one line of text"#),
    ("name: full", "name: [full]", .wrongType, "1:7: name: expected a value, found a list"),
    (
        "before: 1, after: 2", "before: 0, after: 0s", .invalidValue,
        "4:9: window: before and after are both 0, so there is nothing to play"
    ),
    (
        "before: 1", "before: -1", .invalidValue,
        "4:18: window.before: '-1' is not a duration; write seconds (2.5, 2.5s or 1500ms), "
            + "minutes (1:02.5) or hours (0:01:02.5)"
    ),
    (
        "fill: null, fit: null", "fill: 3:4, fit: 1:1", .invalidValue,
        "8:39: picture.fit: fill and fit exclude each other: one crops to a shape, the other adds black bars"
    ),
    (
        "still: null, start: null, end: null, duration: null", "start: 1, end: 2, duration: 1", .invalidValue,
        "4:9: window: start, end and duration cannot all be given; leave one out, or set it to null"
    ),
    (
        "duration: null", "duration: 0s", .invalidValue,
        "4:78: window.duration: a movie of 0 seconds has nothing to play"
    ),
    (
        "metadata: keep", "metadata: all", .invalidValue,
        "9:11: metadata: 'all' is not a metadata mode; write keep, no-location or none"
    ),
    ("mobius", "null", .wrongType, "8:55: picture.toneMap: expected a value, found nothing"),
    (
        "background: black", "background: pink", .invalidValue,
        "8:75: picture.background: 'pink' is not a colour; write black, white, gray, red, yellow, green, blue, or red, "
            + "green and blue in hexadecimal, such as 1E90FF or '#1E90FF'"
    ),
    // What a `#` without quotes comes to.
    (
        "background: black, hdr: tone-map}", "background: #1E90FF\n  , hdr: tone-map}", .wrongType,
        "9:3: picture.background: expected a value, found nothing"
    ),
    ("crf: 20", "crf: 20, crf: 21", .duplicateKey, "5:80: 'crf' given more than once"),
    (
        "{format: jpeg, quality: 92}", "{format: jpeg", .syntax,
        "8:8: not valid YAML: did not find expected ',' or '}' (while parsing a flow mapping that began at 7:8)"
    ),
    (
        "extends: null", "extends: clasic", .unknownPreset,
        "3:10: no preset is named 'clasic'; did you mean 'classic'? There are full and classic"
    ),
    (
        "extends: null", "extends: nothing", .unknownPreset,
        "3:10: no preset is named 'nothing'; there are full and classic"
    ),
    ("extends: null", "extends: [classic]", .wrongType, "3:10: extends: expected a value, found a list"),
    ("extends: null", "extends: ''", .invalidValue, "3:10: extends: '' is not one line of text"),
    (
        "extends: null", "extends: full", .circularExtends,
        "3:10: presets extend each other without end: full.yaml extends full.yaml"
    ),
]

@Suite struct PresetErrorTests {
    @Test(arguments: faults) func `each fault is told with its place`(
        old: String, new: String, code: LivePhotoError.Code, message: String
    ) {
        let error = #expect(throws: LivePhotoError.self) {
            try preset(lines.joined(separator: "\n").replacing(old, with: new))
        }
        #expect(error?.code == code)
        #expect(error?.description == "full.yaml:\(message)")
    }

    @Test(arguments: [
        ("- name: full", "full.yaml:1:1: expected keys with values, found a list"),
        ("full", "full.yaml:1:1: expected keys with values, found 'full'"),
        ("null", "full.yaml:1:1: expected keys with values, found nothing"),
        ("", "full.yaml: the file is empty"),
    ])
    func `a document that is no mapping is no preset`(yaml: String, message: String) {
        let error = #expect(throws: LivePhotoError.self) { try preset(yaml) }
        #expect(error?.description == message)
    }
}
