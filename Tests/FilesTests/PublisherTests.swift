import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct PublisherTests {
    private let temporary: TemporaryFolder
    private let target: TwoFiles

    init() throws {
        temporary = try TemporaryFolder()
        target = TwoFiles(directory: temporary.path)
    }

    /// A publisher whose two files are made.
    private func publisher(_ text: String = "new", hardLinks: Bool = true) throws -> Publisher {
        let publisher = try target.publisher(usesHardLinks: hardLinks)
        try write("\(text) photo", to: publisher.stagedPath("beach.JPG"))
        try write("\(text) movie", to: publisher.stagedPath("beach.MOV"))
        return publisher
    }

    private func hiddenFolders() throws -> [FilePath] {
        try FileManager.default.contentsOfDirectory(atPath: temporary.path.string)
            .filter { $0.hasPrefix(".livephoto-") }.map { temporary.path.appending($0) }
    }

    private static let newPair: [String: String?] = ["beach.JPG": "new photo", "beach.MOV": "new movie"]

    @Test(arguments: [(true, false), (true, true), (false, false), (false, true)])
    func `both files get to their places, and nothing else is left`(hardLinks: Bool, replacing: Bool) throws {
        let publisher = try publisher(hardLinks: hardLinks)
        #expect(try Stat(try #require(try hiddenFolders().first)).permissions == .ownerReadWriteExecute)
        try publisher.publish(replacing: replacing)
        #expect(try temporary.texts == Self.newPair)
        publisher.discard()
        #expect(try temporary.texts == Self.newPair)
        #expect(try Stat(target.photo).linkCount == 1)
    }

    @Test(arguments: [["beach.JPG"], ["beach.JPG", "beach.MOV"]], [false, true])
    func `the folder of the files may be a link to one`(names: [String], replacing: Bool) throws {
        let link = temporary.path.appending("link")
        try makeDirectory(temporary.path.appending("folder"))
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "folder")
        if replacing { for name in names { try write("old", to: link.appending(name)) } }
        let publisher = try Publisher(names.compactMap { .init(try #require(FilePath.Component($0))) }, in: link)
        for name in names { try write("new", to: publisher.stagedPath(try #require(FilePath.Component(name)))) }
        try publisher.publish(replacing: replacing)
        for name in names {
            #expect(try String(contentsOfFile: temporary.path("folder/\(name)"), encoding: .utf8) == "new")
        }
    }

    @Test(arguments: [["beach.JPG"], ["beach.MOV"], ["beach.JPG", "beach.MOV"]], [true, false])
    func `existing files are not replaced, and nothing of ours is left`(names: [String], hardLinks: Bool) throws {
        let publisher = try publisher(hardLinks: hardLinks)
        for name in names { try write("mine", to: temporary.path.appending(name)) }
        let before = Dictionary(uniqueKeysWithValues: names.map { ($0, String?.some("mine")) })
        expectError(.outputExists, at: names.contains("beach.MOV") ? target.movie : target.photo) {
            try publisher.publish(replacing: false)
        }
        #expect(try temporary.texts == before)
    }

    @Test(arguments: [["beach.JPG"], ["beach.MOV"], ["beach.JPG", "beach.MOV"]], [true, false])
    func `existing files are replaced when told`(names: [String], hardLinks: Bool) throws {
        for name in names { try write("mine", to: temporary.path.appending(name)) }
        try publisher(hardLinks: hardLinks).publish(replacing: true)
        #expect(try temporary.texts == Self.newPair)
    }

    @Test func `a link is replaced, not the file it leads to`() throws {
        try write("mine", to: temporary.path.appending("kept"))
        try FileManager.default.createSymbolicLink(atPath: target.movie.string, withDestinationPath: "kept")
        try publisher().publish(replacing: true)
        #expect(try temporary.texts == Self.newPair.merging(["kept": "mine"]) { $1 })
    }

    @Test(arguments: [[], ["beach.JPG"], ["beach.MOV"], ["beach.JPG", "beach.MOV"]], [true, false])
    func `when the photo cannot be put in its place, all is as it was`(names: [String], hardLinks: Bool) throws {
        for name in names { try write("mine", to: temporary.path.appending(name)) }
        let before = try temporary.texts
        let publisher = try target.publisher(usesHardLinks: hardLinks)
        try write("new movie", to: publisher.stagedPath("beach.MOV"))
        try makeDirectory(publisher.stagedPath("beach.JPG"))  // which cannot take the place of a file
        #expect(throws: LivePhotoError.self) { try publisher.publish(replacing: true) }
        #expect(try temporary.texts == before)
    }

    @Test func `a folder of the name is not replaced`() throws {
        try makeDirectory(target.photo)
        try write("mine", to: target.photo.appending("file"))
        try write("mine", to: target.movie)
        let before = try temporary.texts
        let publisher = try publisher()
        expectError(.cannotCreateOutput, at: target.photo) { try publisher.publish(replacing: true) }
        #expect(try temporary.texts == before)
    }

    @Test(arguments: [
        ("é.MOV", "É.MOV", "only in case"), ("e\u{301}.MOV", "\u{E9}.MOV", "only in how Unicode stores its letters"),
        ("E\u{301}.MOV", "\u{E9}.MOV", "only in case and in how Unicode stores its letters"),
    ])
    func `a name that is another one on many file systems says in what it differs`(
        name: String, existing: String, difference: String
    ) throws {
        try write("old", to: temporary.path.appending(existing))
        let error = #expect(throws: LivePhotoError.self) {
            try Publisher.checkCase(of: [temporary.path.appending(name)])
        }
        #expect(error?.reason.hasPrefix("differs \(difference) from ") == true, "\(String(describing: error))")
    }

    @Test func `a file that was not made is an error, and the other is not published`() throws {
        let publisher = try target.publisher()
        try write("new movie", to: publisher.stagedPath("beach.MOV"))
        expectError(.cannotCreateOutput, at: target.photo) { try publisher.publish(replacing: false) }
        #expect(try temporary.texts.isEmpty)
    }

    @Test func `what is discarded, or not published at all, is gone with the folders made for it`() throws {
        let deep = TwoFiles(
            directory: temporary.path.appending("a").appending("b"))
        do {
            let publisher = try deep.publisher()
            try write("half", to: publisher.stagedPath("beach.MOV"))
            #expect(try temporary.texts.count == 5)
        }
        #expect(try temporary.texts.isEmpty)
        let publisher = try deep.publisher()
        try write("other", to: deep.directory.appending("other"))
        publisher.discard()
        #expect(try temporary.texts == ["a": nil, "a/b": nil, "a/b/other": "other"])
    }

    @Test func `folders made for a pair stay with it`() throws {
        let deep = TwoFiles(
            directory: temporary.path.appending("a").appending("b"))
        let publisher = try deep.publisher()
        try write("photo", to: publisher.stagedPath("beach.JPG"))
        try write("movie", to: publisher.stagedPath("beach.MOV"))
        try publisher.publish(replacing: false)
        #expect(
            try temporary.texts == ["a": nil, "a/b": nil, "a/b/beach.JPG": "photo", "a/b/beach.MOV": "movie"])
    }

    @Test(arguments: [false, true]) func `of publishers at one time, one pair is there, whole`(replacing: Bool)
        async throws
    {
        let count = 16
        if replacing {
            try write("mine", to: target.photo)
            try write("mine", to: target.movie)
        }
        let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<count {
                group.addTask {
                    let publisher = try publisher("\(number)")
                    await Task.yield()
                    do throws(LivePhotoError) {
                        try publisher.publish(replacing: replacing)
                        return number
                    } catch {
                        #expect(error.code == .outputExists)
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(winners.count == (replacing ? count : 1))
        let contents = try temporary.texts
        #expect(winners.contains { contents == ["beach.JPG": "\($0) photo", "beach.MOV": "\($0) movie"] })
    }

    @Test func `two runs do not put files into one folder at the same time`() throws {
        let (isReady, mayPublish, isDone) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        Thread.detachNewThread {
            defer { isDone.signal() }
            do {
                let publisher = try publisher()
                isReady.signal()
                mayPublish.wait()
                try publisher.publish(replacing: true)
            } catch {
                Issue.record(error)
                isReady.signal()
            }
        }
        isReady.wait()
        let folder = try FileDescriptor.open(temporary.path, .readOnly)
        defer { try? folder.close() }
        #expect(flock(folder.rawValue, LOCK_EX) == 0)
        mayPublish.signal()
        #expect(isDone.wait(timeout: .now() + 0.3) == .timedOut)
        #expect(try hiddenFolders().count == 1)
        #expect(try temporary.texts["beach.MOV"] == nil)
        #expect(flock(folder.rawValue, LOCK_UN) == 0)
        #expect(isDone.wait(timeout: .now() + 10) == .success)
        #expect(try temporary.texts == Self.newPair)
    }

    @Test func `publishers that make and remove the same folder at one time do not trip each other up`() async throws {
        let deep = TwoFiles(
            directory: temporary.path.appending("a").appending("b"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 { try deep.publisher().discard() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try temporary.texts.allSatisfy { $0.value == nil })
    }

    #if os(Linux)
        @Test func `a name that is not UTF-8 is kept, byte for byte`() throws {
            let bytes: [CInterop.PlatformChar] = [0x62, -23, 0x61, 0x63, 0x68, 0]  // "béach" in Latin-1
            let name = try #require(FilePath.Component(platformString: bytes))
            let target = TwoFiles(directory: temporary.path, movieName: name)
            try FileDescriptor.open(target.movie, .writeOnly, options: .create, permissions: .ownerReadWrite).close()
            let before = try Stat(target.movie).inode
            let publisher = try target.publisher()
            try FileDescriptor.open(
                publisher.stagedPath(name), .writeOnly, options: .create, permissions: .ownerReadWrite
            ).close()
            try makeDirectory(publisher.stagedPath("beach.JPG"))
            #expect(throws: LivePhotoError.self) { try publisher.publish(replacing: true) }
            #expect(try Stat(target.movie).inode == before)
        }
    #endif
}
