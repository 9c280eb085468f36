import Foundation
import LivePhotoKit
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

    private func makeLeftover(new: [String], old: [String], permissions: Int = 0o700) throws {
        try makeDirectory(leftover, permissions: permissions)
        try makeDirectory(leftover.appending("new"))
        try makeDirectory(leftover.appending("old"))
        for name in new { try write("new", to: leftover.appending("new").appending(name)) }
        for name in old { try write("old", to: leftover.appending("old").appending(name)) }
    }

    private func link(_ path: FilePath, as name: String) throws {
        try FileManager.default.linkItem(atPath: path.string, toPath: temporary.path.appending(name).string)
    }

    private func startAnotherRun() throws {
        let target = PublishTarget(directory: temporary.path, photoName: "other.JPG", movieName: "other.MOV")
        try target.publisher().discard()
    }

    @Test func `the folder of a killed run is removed`() throws {
        try makeLeftover(new: ["beach.MOV"], old: [])
        try startAnotherRun()
        #expect(try temporary.texts.isEmpty)
    }

    @Test func `the folder of a run that goes on is left alone`() throws {
        let target = PublishTarget(directory: temporary.path, photoName: "beach.JPG", movieName: "beach.MOV")
        let publisher = try target.publisher()
        try write("photo", to: publisher.stagedPath(target.photoName))
        try write("movie", to: publisher.stagedPath(target.movieName))
        try startAnotherRun()
        try publisher.publish(replacing: false)
        #expect(try temporary.texts == ["beach.JPG": "photo", "beach.MOV": "movie"])
    }

    @Test func `a pair that was being replaced is whole again, as it was`() throws {
        // Killed between the movie and the photo: the new movie is in place, the old photo still is.
        try makeLeftover(new: ["beach.MOV", "beach.JPG"], old: ["beach.MOV", "beach.JPG"])
        try link(leftover.appending("new").appending("beach.MOV"), as: "beach.MOV")
        try link(leftover.appending("old").appending("beach.JPG"), as: "beach.JPG")
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "old", "beach.MOV": "old"])
    }

    @Test func `half a pair in its place gets its other half`() throws {
        try makeLeftover(new: ["beach.MOV", "beach.JPG"], old: [])
        try link(leftover.appending("new").appending("beach.MOV"), as: "beach.MOV")
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "new", "beach.MOV": "new"])
    }

    @Test func `half a pair whose other place is taken by now is left as it is`() throws {
        try makeLeftover(new: ["beach.MOV", "beach.JPG"], old: [])
        try link(leftover.appending("new").appending("beach.MOV"), as: "beach.MOV")
        try write("another", to: temporary.path.appending("beach.JPG"))
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.JPG": "another", "beach.MOV": "new"])
    }

    @Test func `a file that was moved aside is put back`() throws {
        try makeLeftover(new: ["beach.MOV"], old: ["beach.MOV"])
        try startAnotherRun()
        #expect(try temporary.texts == ["beach.MOV": "old"])
    }

    @Test func `a file that came to the place since then is not replaced, and the old one not lost`() throws {
        try makeLeftover(new: ["beach.MOV"], old: ["beach.MOV"])
        try write("another", to: temporary.path.appending("beach.MOV"))
        try startAnotherRun()
        #expect(try read(temporary.path.appending("beach.MOV")) == "another")
        #expect(try read(leftover.appending("old").appending("beach.MOV")) == "old")
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
        try makeLeftover(new: [], old: ["beach.MOV"], permissions: 0o755)
        try write("file", to: temporary.path.appending(".livephoto-00000000000000aa"))
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path.appending(".livephoto-00000000000000bb").string, withDestinationPath: "/")
        let before = try temporary.texts
        try startAnotherRun()
        #expect(try temporary.texts == before)
    }

    @Test func `a folder that was moved aside is put back, unless the new one is in its place`() throws {
        for isPlaced in [false, true] {
            try makeLeftover(new: [], old: [])
            let old = leftover.appending("old").appending("beach.pvt")
            try makeDirectory(old)
            try write("old", to: old.appending("beach.JPG"))
            let new = isPlaced ? temporary.path : leftover.appending("new")
            try makeDirectory(new.appending("beach.pvt"))
            try write("new", to: new.appending("beach.pvt").appending("beach.JPG"))
            try startAnotherRun()
            #expect(
                try temporary.texts == ["beach.pvt": nil, "beach.pvt/beach.JPG": isPlaced ? "new" : "old"])
            try FileManager.default.removeItem(atPath: temporary.path.appending("beach.pvt").string)
        }
    }
}
