import Bytes
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Single files that come to their places whole.
@Suite struct SingleFileTests {
    private let temporary: TemporaryFolder
    private var target: FilePath { temporary.path.appending("report.html") }

    init() throws {
        temporary = try TemporaryFolder()
        let leftover = temporary.path.appending(".livephoto-0123456789abcdef")
        try makeDirectory(leftover, permissions: 0o700)
    }

    @Test func `a staged file is not to be seen before it is whole, and what killed runs left goes away`() throws {
        do {
            let file = try StagedFile(target, replacesExisting: false)
            try file.write(Array("half".utf8))
            #expect(try temporary.texts["report.html"] == nil)
        }
        #expect(try temporary.texts.isEmpty)
        let file = try StagedFile(target, replacesExisting: false)
        try file.write(Array("whole".utf8))
        try file.publish()
        #expect(try read(target) == "whole")
    }

    @Test func `a staged file takes a place that is taken only when told`() throws {
        try write("old", to: target)
        let error = #expect(throws: LivePhotoError.self) { try StagedFile(target, replacesExisting: false) }
        #expect(error?.code == .outputExists)
        do {
            let late = temporary.path.appending("late")
            let file = try StagedFile(late, replacesExisting: false)
            try write("came in between", to: late)
            #expect(throws: LivePhotoError.self) { try file.publish() }
            #expect(try read(late) == "came in between")
        }
        let file = try StagedFile(target, replacesExisting: true)
        try file.write(Array("new".utf8))
        try file.publish()
        #expect(try read(target) == "new")
    }

    @Test func `a file that is replaced keeps its permissions and times`() throws {
        try write("old", to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.string)
        let times = try FileTimes(of: target)
        let file = try StagedFile(target, replacesExisting: true, inheritsAttributes: true)
        try file.write(Array("new".utf8))
        try file.publish()
        #expect(try temporary.texts == ["report.html": "new"])
        #expect(try target.stat().permissions.rawValue == 0o640)
        #expect(try FileTimes(of: target).modification == times.modification)
    }

    @Test(arguments: [true, false]) func `a single file is replaced in one step, with and without hard links`(
        hardLinks: Bool
    ) throws {
        try write("old", to: target)
        let name = try #require(target.lastComponent)
        let publisher = try Publisher([.init(name)], in: temporary.path, usesHardLinks: hardLinks)
        try publisher.write(name) { try $0.write(Array("new".utf8)) }
        let staged = try Stat(publisher.stagedPath(name)).inode
        try publisher.publish(replacing: true)
        // The very file was renamed: at no moment was there none.
        #expect(try Stat(target).inode == staged)
        #expect(try temporary.texts == ["report.html": "new"])
    }
}
