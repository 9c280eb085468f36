import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

@Suite struct PresetLibraryTests {
    private let library = PresetLibrary()

    private func failure(_ folder: TemporaryFolder, _ file: String) -> (
        code: LivePhotoError.Code?, message: String?
    ) {
        let error = #expect(throws: LivePhotoError.self) { try library.preset(at: folder.path.appending(file)) }
        return (error?.code, error?.description.replacing(folder.path.string + "/", with: ""))
    }

    @Test func `a file extends a shipped preset and sets what differs`() throws {
        let folder = try TemporaryFolder(["mine.yaml": "name: mine\nextends: compact\nvideo: {crf: 18}\n"])
        var expected = try library.preset(named: "compact")
        expected.name = "mine"
        expected.video.crf = try X264RateFactor("18")
        #expect(try library.preset(at: folder.path.appending("mine.yaml")) == expected)
        #expect(try library.resolve(folder.path.appending("mine.yaml").string) == expected)
    }

    @Test func `a file that gives no name has its own`() throws {
        let folder = try TemporaryFolder(["mine.yaml": "extends: compact\nvideo: {crf: 18}\n"])
        #expect(try library.preset(at: folder.path.appending("mine.yaml")).name == "mine")
    }

    @Test func `a file is extended by its path from the file that names it`() throws {
        let folder = try TemporaryFolder([
            "a/one.yaml": "name: one\nextends: ../b/two.yml\nphoto: {quality: 70}",
            "b/two.yml": "name: two\nextends: ./three.json\naudio: {mode: none}",
            "b/three.json": #"{"name": "three", "extends": "smooth", "window": {"after": 0.5}}"#,
        ])
        var expected = try library.preset(named: "smooth")
        expected.name = "one"
        expected.photo.quality = try PhotoQuality("70")
        expected.audio.mode = .discard
        expected.window.after = try MediaTime("0.5")
        #expect(try library.preset(at: folder.path.appending("a/one.yaml")) == expected)
    }

    @Test func `an absolute path is extended as it is`() throws {
        let base = try TemporaryFolder(["base.yaml": "name: base\nextends: classic\nvideo: {crf: 30}"])
        let folder = try TemporaryFolder(["mine.yaml": "name: mine\nextends: \(base.path)/base.yaml"])
        #expect(try library.preset(at: folder.path.appending("mine.yaml")).video.crf.description == "30")
    }

    @Test func `files that extend each other are refused at the place that closes the circle`() throws {
        let folder = try TemporaryFolder([
            "one.yaml": "name: one\nextends: ./two.yaml", "two.yaml": "name: two\nextends: x/../one.yaml",
        ])
        let (code, message) = failure(folder, "one.yaml")
        #expect(code == .circularExtends)
        #expect(
            message
                == "two.yaml:2:10: presets extend each other without end: one.yaml extends two.yaml extends one.yaml")
    }

    @Test func `16 presets may extend each other in a line, 17 may not`() throws {
        var files = ["1.yaml": "name: p\nextends: classic"]
        for number in 2...16 { files["\(number).yaml"] = "name: p\nextends: \(number - 1).yaml" }
        let folder = try TemporaryFolder(files)
        #expect(try library.preset(at: folder.path.appending("15.yaml")).name == "p")
        #expect(failure(folder, "16.yaml").code == .circularExtends)
    }

    @Test func `a fault in a base is told with the base's name and place`() throws {
        let folder = try TemporaryFolder([
            "mine.yaml": "name: mine\nextends: base.yaml", "base.yaml": "name: base\nextends: classic\nvideo: {crf: x}",
        ])
        let (code, message) = failure(folder, "mine.yaml")
        #expect(code == .invalidValue)
        #expect(message?.hasPrefix("base.yaml:3:14: video.crf: 'x' is not a CRF") == true)
    }

    @Test func `a base that cannot be read is told at the place that names it`() throws {
        let folder = try TemporaryFolder(["mine.yaml": "name: mine\nextends: gone.yaml"])
        let (code, message) = failure(folder, "mine.yaml")
        #expect(code == .noInput)
        #expect(message == "mine.yaml:2:10: cannot read gone.yaml: No such file or directory")
    }

    @Test func `a file that cannot be read, a folder and a large file are told apart`() throws {
        let folder = try TemporaryFolder(["big.yaml": String(repeating: "#", count: (1 << 20) + 1), "sub/x": ""])
        #expect(failure(folder, "gone.yaml") == (.noInput, "cannot read gone.yaml: No such file or directory"))
        #expect(failure(folder, "sub") == (.noInput, "cannot read sub: Is a directory"))
        #expect(failure(folder, "big.yaml") == (.overLimit, "big.yaml: the file is larger than 1048576 bytes"))
    }

    @Test(arguments: [
        (
            "clasic",
            "no preset is named 'clasic'; did you mean 'classic'? There are classic, smooth, compact, modern and wallpaper"
        ),
        (
            "CLASSIC",
            "no preset is named 'CLASSIC'; did you mean 'classic'? There are classic, smooth, compact, modern and wallpaper"
        ),
        ("4k", "no preset is named '4k'; there are classic, smooth, compact, modern and wallpaper"),
        ("", "no preset is named ''; there are classic, smooth, compact, modern and wallpaper"),
    ])
    func `an unknown name is answered with the known ones`(name: String, message: String) {
        for ask in [
            { _ = try library.preset(named: $0) }, { _ = try library.yaml(of: $0) }, { _ = try library.resolve($0) },
        ]
            as [(String) throws -> Void]
        {
            let error = #expect(throws: LivePhotoError.self) { try ask(name) }
            #expect(error?.code == .unknownPreset)
            #expect(error?.description == message)
        }
    }

    @Test(arguments: ["./mine", "mine.yaml", "mine.yml", "mine.json", "no-such-folder/mine"])
    func `a name with a slash or a preset file's ending is a file`(name: String) {
        let error = #expect(throws: LivePhotoError.self) { try library.resolve(name) }
        #expect(error?.description == "cannot read \(name): No such file or directory")
    }
}
