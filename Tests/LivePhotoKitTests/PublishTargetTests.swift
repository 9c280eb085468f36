import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

@Suite struct PublishTargetTests {
    private let temporary: TemporaryFolder
    private let target: PublishTarget

    init() throws {
        temporary = try TemporaryFolder()
        target = PublishTarget(directory: temporary.path, photoName: "beach.JPG", movieName: "beach.MOV")
    }

    @Test(arguments: [false, true]) func `a folder without such files will do, and is not touched`(replacing: Bool)
        throws
    {
        try target.check(inputs: [], replacing: replacing)
        let missing = PublishTarget(
            directory: temporary.path.appending("a").appending("b"), photoName: "beach.JPG", movieName: "beach.MOV")
        try missing.check(inputs: [], replacing: replacing)
        #expect(try temporary.texts.isEmpty)
    }

    @Test(arguments: ["beach.JPG", "beach.MOV"])
    func `an existing file is refused, unless it is to be replaced`(
        name: String
    ) throws {
        let path = temporary.path.appending(name)
        try write("mine", to: path)
        expectError(.outputExists, at: path) { try target.check(inputs: [], replacing: false) }
        try target.check(inputs: [], replacing: true)
        #expect(try read(path) == "mine")
    }

    @Test func `a link that leads nowhere exists too`() throws {
        try FileManager.default.createSymbolicLink(atPath: target.movie.string, withDestinationPath: "nowhere")
        expectError(.outputExists, at: target.movie) { try target.check(inputs: [], replacing: false) }
    }

    @Test(arguments: [false, true]) func `an input is never replaced, whatever name it is given by`(replacing: Bool)
        throws
    {
        let input = temporary.path.appending("beach.MOV")
        let other = temporary.path.appending("other")
        try write("clip", to: input)
        try makeDirectory(other)
        try FileManager.default.createSymbolicLink(
            atPath: other.appending("link.mov").string, withDestinationPath: input.string)
        try FileManager.default.linkItem(atPath: input.string, toPath: other.appending("hard.mov").string)
        let names = [
            input, other.appending("..").appending("beach.MOV"), other.appending("link.mov"),
            other.appending("hard.mov"),
        ]
        for name in names {
            expectError(.cannotCreateOutput, at: target.movie) {
                try target.check(inputs: ["elsewhere.mov", name], replacing: replacing)
            }
        }
    }

    @Test func `an input whose name differs by case only is not replaced either, in the same folder`() throws {
        expectError(.cannotCreateOutput, at: target.movie) {
            try target.check(inputs: [temporary.path.appending("Beach.mov")], replacing: true)
        }
        let other = temporary.path.appending("other")
        try makeDirectory(other)
        try target.check(inputs: [other.appending("Beach.mov")], replacing: true)
    }

    @Test func `a folder of the name is not replaced`() throws {
        try makeDirectory(target.photo)
        expectError(.cannotCreateOutput, at: target.photo) { try target.check(inputs: [], replacing: true) }
    }

    @Test func `no pair can be below a file, or under a name that is too long`() throws {
        try write("", to: temporary.path.appending("file"))
        for directory in [temporary.path.appending("file"), temporary.path.appending("file").appending("sub")] {
            let target = PublishTarget(directory: directory, photoName: "beach.JPG", movieName: "beach.MOV")
            let thrown = #expect(throws: LivePhotoError.self) { try target.check(inputs: [], replacing: false) }
            #expect(thrown?.code == .cannotCreateOutput)
            #expect(throws: LivePhotoError.self) { _ = try target.publisher() }
        }
        let long = try #require(FilePath.Component(String(repeating: "x", count: 300)))
        let target = PublishTarget(directory: temporary.path, photoName: long, movieName: "beach.MOV")
        expectError(.cannotCreateOutput, at: target.photo) { try target.check(inputs: [], replacing: false) }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere")) func `a folder that takes no files is refused`()
        throws
    {
        let directory = temporary.path.appending("closed")
        try makeDirectory(directory, permissions: 0o500)
        let inside = PublishTarget(directory: directory, photoName: "beach.JPG", movieName: "beach.MOV")
        expectError(.cannotCreateOutput, at: inside.photo) { try inside.check(inputs: [], replacing: false) }
        expectError(.cannotCreateOutput, at: inside.photo) { _ = try inside.publisher() }
        let target = PublishTarget(
            directory: directory.appending("sub"), photoName: "beach.JPG", movieName: "beach.MOV")
        expectError(.cannotCreateOutput, at: target.directory) { try target.check(inputs: [], replacing: false) }
    }

    @Test func `an empty path is the current folder`() {
        let target = PublishTarget(directory: "", photoName: "beach.JPG", movieName: "beach.MOV")
        #expect(target.photo == "beach.JPG")
    }

    @Test(arguments: [
        (Errno.fileExists, LivePhotoError.Code.outputExists, "demo/beach.JPG: already exists"),
        (.noSpace, .inputOutput, "demo/beach.JPG: cannot be written: No space left on device"),
        (.diskQuotaExceeded, .inputOutput, "demo/beach.JPG: cannot be written: Disk quota exceeded"),
        (.permissionDenied, .cannotCreateOutput, "demo/beach.JPG: cannot be created: Permission denied"),
        (.readOnlyFileSystem, .cannotCreateOutput, "demo/beach.JPG: cannot be created: Read-only file system"),
        (.ioError, .inputOutput, "demo/beach.JPG: cannot be written: Input/output error"),
    ])
    func `an error is one sentence`(systemError: Errno, code: LivePhotoError.Code, sentence: String) {
        let error = LivePhotoError(writing: "demo/beach.JPG", systemError)
        #expect(error.code == code)
        #expect(error.description == sentence)
    }
}

/// Expects that `body` throws an error of this kind about this file.
func expectError(
    _ code: LivePhotoError.Code, at path: FilePath, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: LivePhotoError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.file == path, sourceLocation: sourceLocation)
}
