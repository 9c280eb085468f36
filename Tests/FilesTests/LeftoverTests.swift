import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What runs that were killed leave, and what the next one makes of it.
@Suite struct LeftoverTests {
    private let temporary: TemporaryFolder
    private let leftover: FilePath

    init() throws {
        temporary = try TemporaryFolder()
        leftover = temporary.path.appending(".livephoto-0123456789abcdef")
    }

    /// What a run leaves that is killed while it puts files in place.
    ///
    /// - Parameters:
    ///   - names: Those of the new files.
    ///   - replaced: Those that replace files; these are kept.
    ///   - placed: Those that are in place.
    private func makeLeftover(
        _ names: [String], replacing replaced: [String] = [], placed: [String] = [], permissions: Int = 0o700
    ) throws {
        try makeDirectory(leftover, permissions: permissions)
        let (new, old) = (leftover.appending("new"), leftover.appending("old"))
        try makeDirectory(new)
        if !replaced.isEmpty { try makeDirectory(old) }
        var entries: [String] = []
        for (index, name) in names.enumerated() {
            let isFolder = name.hasSuffix(".pvt")
            try make("new", at: new.appending(name), isFolder: isFolder)
            let stamp = try stamp(of: new.appending(name), isFolder: isFolder)
            var replacement = ""
            if replaced.contains(name) {
                try make("old", at: old.appending("\(index)"), isFolder: isFolder)
                replacement = ",\"old\":\(try self.stamp(of: old.appending("\(index)"), isFolder: isFolder))"
            }
            entries.append("{\"name\":\"\(name)\",\"new\":\(stamp)\(replacement)}")
            if placed.contains(name) {
                try FileManager.default.moveItem(
                    atPath: new.appending(name).string, toPath: temporary.path.appending(name).string)
            }
        }
        try write("{\"entries\":[\(entries.joined(separator: ","))]}", to: leftover.appending("manifest.json"))
    }

    private func stamp(of path: FilePath, isFolder: Bool) throws -> String {
        let status = try Stat(path)
        let seconds = Int(try #require(try modified(path)).timeIntervalSince1970)
        return """
            {"inode":\(status.inode.rawValue),"size":\(status.size),"secondsModified":\(seconds),"isFolder":\(isFolder)}
            """
    }

    private func make(_ text: String, at path: FilePath, isFolder: Bool) throws {
        if isFolder { try makeDirectory(path) }
        try write(text, to: isFolder ? path.appending("beach.JPG") : path)
    }

    private func modified(_ path: FilePath) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.modificationDate] as? Date
    }

    private func link(_ path: FilePath, as name: String) throws {
        try FileManager.default.linkItem(atPath: path.string, toPath: temporary.path.appending(name).string)
    }

    private func startAnotherRun() throws {
        let target = TwoFiles(directory: temporary.path, photoName: "other.JPG", movieName: "other.MOV")
        try target.publisher().discard()
    }

    @Test func `the folder of a killed run is removed`() throws {
        try makeLeftover(["beach.MOV"])
        try startAnotherRun()
        #expect(try temporary.texts.isEmpty)
    }

    @Test func `a temporary file of a killed run is removed, and nothing whose name is like it`() throws {
        let identifier = "01234567-89AB-4CDE-8F01-23456789ABCD"
        for name in ["-unpacked-\(identifier)", "-unpacked-mine", "-mine", "-\(identifier)"] {
            try write("x", to: temporary.path.appending(".livephoto\(name)"))
        }
        try makeDirectory(temporary.path.appending(".livephoto-unpacked-89ABCDEF-89AB-4CDE-8F01-23456789ABCD"))
        try startAnotherRun()
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path.string).sorted()
        #expect(
            left == [
                ".livephoto-\(identifier)", ".livephoto-mine",
                ".livephoto-unpacked-89ABCDEF-89AB-4CDE-8F01-23456789ABCD", ".livephoto-unpacked-mine",
            ])
    }

    @Test func `the folder of a run that goes on is left alone`() throws {
        let target = TwoFiles(directory: temporary.path)
        let publisher = try target.publisher()
        try write("photo", to: publisher.stagedPath(target.photoName))
        try write("movie", to: publisher.stagedPath(target.movieName))
        try startAnotherRun()
        try publisher.publish(replacing: false)
        #expect(try temporary.texts == ["beach.JPG": "photo", "beach.MOV": "movie"])
    }

    @Test(arguments: [[], ["beach.MOV"], ["beach.MOV", "beach.JPG"]])
    func `a pair that was being replaced is whole again, as it was`(placed: [String]) throws {
        let names = ["beach.MOV", "beach.JPG"]
        try makeLeftover(names, replacing: names, placed: placed)
        for (index, name) in names.enumerated() where !placed.contains(name) {
            try link(leftover.appending("old").appending("\(index)"), as: name)
        }
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "old", "beach.MOV": "old"])
    }

    @Test func `of a pair that replaces only a movie, nothing is left but that movie`() throws {
        let names = ["beach.MOV", "beach.JPG"]
        try makeLeftover(names, replacing: ["beach.MOV"], placed: names)
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.MOV": "old"])
    }

    @Test func `half a pair in its place gets its other half`() throws {
        try makeLeftover(["beach.MOV", "beach.JPG"], placed: ["beach.MOV"])
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "new", "beach.MOV": "new"])
    }

    @Test func `half a pair whose other place is taken by now is left as it is`() throws {
        try makeLeftover(["beach.MOV", "beach.JPG"], placed: ["beach.MOV"])
        try write("another", to: temporary.path.appending("beach.JPG"))
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "another", "beach.MOV": "new"])
    }

    @Test(arguments: [["beach.MOV"], ["beach.JPG"]])
    func `an empty file that only kept a name free is not left`(reserved: [String]) throws {
        // Where files cannot be moved without replacing others.
        let names = ["beach.MOV", "beach.JPG"]
        try makeLeftover(names, placed: names.filter { !reserved.contains($0) && $0 == "beach.MOV" })
        for name in reserved { try write("", to: temporary.path.appending(name)) }
        try startAnotherRun()
        let isBegun = reserved == ["beach.JPG"]
        #expect(try temporary.texts == (isBegun ? ["beach.JPG": "new", "beach.MOV": "new"] : [:]))
    }

    @Test func `a file that was moved aside is put back`() throws {
        try makeLeftover(["beach.MOV"], replacing: ["beach.MOV"])
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.MOV": "old"])
    }

    @Test func `a file that came to the place since then is not replaced, and the old one not lost`() throws {
        try makeLeftover(["beach.MOV"], replacing: ["beach.MOV"])
        try write("another", to: temporary.path.appending("beach.MOV"))
        try startAnotherRun()
        #expect(try read(temporary.path.appending("beach.MOV")) == "another")
        #expect(try read(leftover.appending("old").appending("0")) == "old")
    }

    @Test(arguments: [
        "", "{", "{\"entries\":[{}]}",
        #"{"entries":[{"name":"../a","new":{"inode":1,"size":1,"secondsModified":1,"isFolder":false}}]}"#,
        #"{"entries":[{"name":"a","new":{"inode":1,"size":-1,"secondsModified":1,"isFolder":false}}]}"#,
        #"{"entries":[{"name":"beach.MOV"}]}"#,
    ])
    func `a manifest that is not ours changes nothing`(text: String) throws {
        try makeLeftover(["beach.MOV"], replacing: ["beach.MOV"])
        try write(text, to: leftover.appending("manifest.json"))
        let before = try temporary.texts
        try startAnotherRun()
        #expect(try temporary.texts == before)
    }

    @Test(arguments: [
        ".livephoto-0123456789abcde", ".livephoto-0123456789abcdeg", ".livephoto-0123456789ABCDEF", ".livephoto-",
        "livephoto-0123456789abcdef", ".livephoto-0123456789abcdef.bak",
    ])
    func `a folder of another name is left alone`(name: String) throws {
        try makeDirectory(temporary.path.appending(name), permissions: 0o700)
        try startAnotherRun()
        #expect(try temporary.texts == [name: nil])
    }

    @Test func `what has the name but is not a folder for us alone is left alone`() throws {
        try makeLeftover(["beach.MOV"], replacing: ["beach.MOV"], permissions: 0o755)
        try write("file", to: temporary.path.appending(".livephoto-00000000000000aa"))
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path.appending(".livephoto-00000000000000bb").string, withDestinationPath: "/")
        let before = try temporary.texts
        try startAnotherRun()
        #expect(try temporary.texts == before)
    }

    @Test(arguments: [[], ["beach.pvt"]]) func `a folder that was moved aside is put back`(placed: [String]) throws {
        try makeLeftover(["beach.pvt"], replacing: ["beach.pvt"], placed: placed)
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.pvt": nil, "beach.pvt/beach.JPG": "old"])
    }
}
