import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// Presets that a user keeps in a folder.
@Suite struct OwnPresetTests {
    private func library(_ files: [String: String]) throws -> (PresetLibrary, TemporaryFolder) {
        let folder = try TemporaryFolder(files)
        return (PresetLibrary(folder: folder.path), folder)
    }

    private func message(_ folder: TemporaryFolder, _ work: () throws -> Void) -> String? {
        let error = #expect(throws: LivePhotoError.self) { try work() }
        return error?.description.replacing(folder.path.string + "/", with: "")
    }

    @Test(arguments: ["film", "Film-2_a.b", "35mm", "-x"])
    func `a file of the folder is found by its name, and can be extended by it`(name: String) throws {
        let (library, folder) = try library([
            "\(name).yaml": "name: \(name)\nextends: smooth\nvideo: {crf: 17}",
            "other.yaml": "name: other\nextends: \(name)\nphoto: {quality: 70}",
            "elsewhere/mine.yaml": "name: mine\nextends: other",
        ])
        #expect(try library.resolve(name).video.crf.description == "17")
        #expect(try library.preset(named: name) == library.preset(at: folder.path.appending("\(name).yaml")))
        let mine = try library.preset(at: folder.path.appending("elsewhere/mine.yaml"))
        #expect(mine.video.crf.description == "17" && mine.photo.quality.value == 70)
        #expect(try library.yaml(of: "other").hasPrefix("name: other\nextends: \(name)\n"))
        #expect(throws: LivePhotoError.self) { try PresetLibrary().resolve(name) }
    }

    @Test func `the folder's presets are listed by name, each whole or with what is wrong with it`() throws {
        let (library, folder) = try library([
            "film.yaml": "name: film\nextends: smooth", "a.yaml": "name: a\nextends: classic\nvideo: {crf: 99}",
            "classic.yaml": "name: classic\nextends: smooth", "my film.yaml": "name: my film\nextends: smooth",
            "x.yaml.yaml": "name: x.yaml\nextends: smooth", "z.yaml": "name: y\nextends: classic",
            "film.yml": "", "notes.txt": "", ".hidden.yaml": "", "folder.yaml/x": "",
        ])
        let own = try library.ownPresets()
        #expect(own.map(\.name) == ["a", "classic", "film", "folder", "my film", "x.yaml", "z"])
        #expect(own.map(\.file) == own.map { folder.path.appending($0.name + ".yaml") })
        let messages = own.map { own in
            switch own.preset {
            case .success(let preset): preset.name
            case .failure(let error): error.description.replacing(folder.path.string + "/", with: "")
            }
        }
        let rename = "is no name for a preset; rename the file, with letters, digits, '-', '_' and '.' only"
        #expect(
            messages == [
                "a.yaml:3:14: video.crf: '99' is not a CRF; write a number from 1 to 51 with at most two decimals",
                "classic.yaml: 'classic' is the name of a shipped preset, which this one cannot replace; rename the file",
                "film", "cannot read folder.yaml: Is a directory", "my film.yaml: 'my film' \(rename)",
                "x.yaml.yaml: 'x.yaml' \(rename)",
                "z.yaml:1:7: name: 'y' does not match the file name, 'z'",
            ])
        #expect(try library.resolve("classic") == PresetLibrary().resolve("classic"))
        #expect(try library.resolve("film").name == "film")
    }

    @Test(arguments: ["../film", "sub/film", "..", ".", ".film", "", "fil m", "film\0", "fílm", "film\n", "~film"])
    func `a name leads nowhere but to a file of the folder`(name: String) throws {
        let (library, _) = try library([
            "film.yaml": "name: film\nextends: smooth", ".film.yaml": "name: .film\nextends: smooth",
            "sub/film.yaml": "name: film\nextends: smooth", "fil m.yaml": "name: fil m\nextends: smooth",
            "fílm.yaml": "name: fílm\nextends: smooth", "~film.yaml": "name: ~film\nextends: smooth",
        ])
        let error = #expect(throws: LivePhotoError.self) { try library.preset(named: name) }
        #expect(error?.code == .unknownPreset)
    }

    @Test func `an unknown name is answered with the user's own too, and with none that cannot be asked for`() throws {
        let (library, folder) = try library([
            "film.yaml": "", "classic.yaml": "", "my film.yaml": "", "mine.yaml": "name: mine\nextends: fim",
        ])
        #expect(
            message(folder) { _ = try library.resolve("mine") }
                == "mine.yaml:2:10: no preset is named 'fim'; did you mean 'film'? There are classic, smooth, compact, "
                + "modern, wallpaper, film and mine")
    }

    @Test func `own presets that extend each other are refused at the place that closes the circle`() throws {
        let (library, folder) = try library([
            "one.yaml": "name: one\nextends: two", "two.yaml": "name: two\nextends: one.yaml",
        ])
        #expect(
            message(folder) { _ = try library.resolve("one") }
                == "two.yaml:2:10: presets extend each other without end: one.yaml extends two.yaml extends one.yaml")
    }

    @Test func `a folder that is not there holds nothing, and one that cannot be read says so`() throws {
        let folder = try TemporaryFolder(["file": ""])
        #expect(try PresetLibrary(folder: folder.path.appending("gone")).ownPresets().isEmpty)
        #expect(try PresetLibrary().ownPresets().isEmpty)
        let library = PresetLibrary(folder: folder.path.appending("file"))
        #expect(message(folder) { _ = try library.ownPresets() } == "cannot read the folder file: Not a directory")
        #expect(try library.resolve("smooth").name == "smooth")
    }
}
