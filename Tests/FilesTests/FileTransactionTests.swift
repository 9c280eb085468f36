import Bytes
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Files that are changed in place: all of them or none.
@Suite struct FileTransactionTests {
    private let temporary: TemporaryFolder
    private let original: [String: Data]
    private var root: FilePath { temporary.path }
    private static let date = Date(timeIntervalSince1970: 1_500_000_000.25)

    /// A file is changed where it is, one is replaced, one gets another name, and one stays.
    private static let old = [
        "changed": "old bytes, and those after them", "replaced": "old", "before": "old name", "kept": "kept",
    ]
    private static let new = ["replaced": "new", "after": "new name"]
    private static let changes: [FileChange] = [
        .write(Array("more bytes at the end".utf8), at: 31), .synchronize, .write(Array("new".utf8), at: 0),
    ]
    /// The places at which a process can end: before the first change, and after each.
    private static let steps = 0...(changes.count + 3)

    init() throws {
        temporary = try TemporaryFolder(Self.old)
        for name in Self.old.keys {
            try FileManager.default.setAttributes([.modificationDate: Self.date], ofItemAtPath: temporary.path(name))
        }
        original = try temporary.files
    }

    private func place(_ name: String) -> FilePath { root.appending(name) }

    /// Begins a transaction and performs some of its steps.
    private func begin(_ folder: WorkFolder, steps: Int) throws -> FileTransaction {
        for (name, text) in Self.new {
            try write(text, to: folder.new.appending(name))
            try FileManager.default.setAttributes(
                [.modificationDate: Self.date], ofItemAtPath: folder.new.appending(name).string)
        }
        let file = try InputFile(place("changed"))
        let transaction = try FileTransaction(
            inPlace: [
                .changed("changed", ChangeInverse(of: Self.changes, in: file), FileTimes(of: file)),
                .placed("replaced", replacing: true), .placed("after", replacing: false), .removed("before"),
                .kept("kept"),
            ], in: folder, key: RecordKey())
        try FileChange.apply(Self.changes.prefix(steps), to: place("changed"))
        for index in 1...3 where steps >= Self.changes.count + index { try transaction.perform(index) }
        return transaction
    }

    /// What a process leaves that is killed after some steps.
    ///
    /// - Parameter copies: Whether old files are kept as on a file system without hard links.
    private func kill(afterSteps steps: Int, copies: Bool = false) throws -> FilePath {
        let folder = try WorkFolder(in: root)
        _ = try begin(folder, steps: steps)
        for index in 1...3 where copies {
            let kept = folder.path.appending("old/\(index)")
            guard let content = try? Data(contentsOf: URL(fileURLWithPath: kept.string)) else { continue }
            try FileManager.default.removeItem(atPath: kept.string)
            try content.write(to: URL(fileURLWithPath: kept.string))
            try FileManager.default.setAttributes([.modificationDate: Self.date], ofItemAtPath: kept.string)
        }
        return folder.path
    }

    /// The files besides the hidden ones.
    private var visible: [String: Data] {
        get throws { try temporary.files.filter { !$0.key.hasPrefix(".") } }
    }

    @Test(arguments: steps, [false, true])
    func `killed after any step, the next run restores all files with their times`(steps: Int, copies: Bool) throws {
        _ = try kill(afterSteps: steps, copies: copies)
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original)
        for name in Self.old.keys {
            let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(name))
            #expect(attributes[.modificationDate] as? Date == Self.date, "\(name)")
            #expect(attributes[.referenceCount] as? Int == 1, "\(name)")
        }
    }

    @Test(arguments: steps) func `what fails is undone at once, and nothing is left`(steps: Int) throws {
        let folder = try WorkFolder(in: root)
        _ = try begin(folder, steps: steps)
        #expect(folder.remove())
        #expect(try temporary.files == original)
    }

    @Test func `what a killed run left is not undone while another run has the first file`() throws {
        _ = try kill(afterSteps: Self.steps.upperBound)
        let before = try temporary.files
        let lock = try FileLock(place("changed"))
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == before)
        lock.release()
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original)
    }

    @Test func `what is committed stays, also if the process is killed then`() throws {
        do {
            let folder = try WorkFolder(in: root)
            try begin(folder, steps: Self.steps.upperBound).commit()
        }
        let names = try FileTransaction.namesInPlace(
            in: OpenFolder(named: root).folder(#require(hiddenFolder)), of: OpenFolder(named: root))
        #expect(names.isEmpty)
        Publisher.removeLeftovers(in: root)
        #expect(
            try temporary.texts == [
                "changed": "new bytes, and those after themmore bytes at the end", "replaced": "new",
                "after": "new name", "kept": "kept",
            ])
    }

    private var hiddenFolder: FilePath.Component? {
        get throws { try temporary.names.first { $0.hasPrefix(".livephoto-") }.flatMap { FilePath.Component($0) } }
    }

    @Test(arguments: ["changed", "replaced", "after", "before", "old/1", "old/3"], [false, true])
    func `if one file was changed since, none is restored, and the old ones are kept`(
        name: String, copies: Bool
    ) throws {
        let hidden = try kill(afterSteps: Self.steps.upperBound, copies: copies)
        let path = name.hasPrefix("old") ? hidden.appending(name) : place(name)
        try? FileManager.default.removeItem(atPath: path.string)
        try write("changed by somebody", to: path)
        let before = try temporary.files
        for _ in 0..<2 {
            Publisher.removeLeftovers(in: root)
            #expect(try temporary.files == before)
        }
    }

    @Test func `if an old file is not kept any more, none is restored`() throws {
        for name in ["old/1", "old/3"] {
            let hidden = try kill(afterSteps: Self.steps.upperBound)
            let kept = hidden.appending(name)
            let content = try Data(contentsOf: URL(fileURLWithPath: kept.string))
            try FileManager.default.removeItem(atPath: kept.string)
            let before = try temporary.files
            Publisher.removeLeftovers(in: root)
            #expect(try temporary.files == before, "\(name)")
            try content.write(to: URL(fileURLWithPath: kept.string))
            try FileManager.default.setAttributes([.modificationDate: Self.date], ofItemAtPath: kept.string)
            Publisher.removeLeftovers(in: root)
            #expect(try temporary.files == original, "\(name)")
        }
    }

    @Test(arguments: [[], ["replaced"], ["changed"]])
    func `killed before the old files were kept, the next run removes only what is hidden`(gone: [String]) throws {
        let hidden = try kill(afterSteps: 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: hidden.appending("old").string) {
            try FileManager.default.removeItem(atPath: hidden.appending("old").appending(name).string)
        }
        for name in gone { try FileManager.default.removeItem(atPath: temporary.path(name)) }
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original.filter { !gone.contains($0.key) })
    }

    @Test func `a file that took the new name before it was used is left alone`() throws {
        _ = try kill(afterSteps: Self.changes.count + 1)
        try write("mine", to: place("after"))
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original.merging(["after": Data("mine".utf8)]) { $1 })
    }

    @Test func `if all files are gone, none comes back`() throws {
        _ = try kill(afterSteps: Self.steps.upperBound)
        for name in try visible.keys { try FileManager.default.removeItem(atPath: temporary.path(name)) }
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files.isEmpty)
    }

    @Test func `a manifest without the user's signature changes no file in place`() throws {
        let hidden = try kill(afterSteps: Self.steps.upperBound)
        let signed = hidden.appending("change.json")
        let text = try read(signed)
        let before = try visible
        // Of `["`, a code of 64 digits and `",`.
        let content = String(text.dropFirst(68).dropLast(2))
        for forged in [content, text.replacing("[\"", with: "[\"0")] {
            try write(forged, to: signed)
            Publisher.removeLeftovers(in: root)
            #expect(try visible == before)
        }
        try FileManager.default.removeItem(atPath: signed.string)
        try write(content, to: hidden.appending("manifest.json"))
        Publisher.removeLeftovers(in: root)
        #expect(try visible == before)
    }

    @Test func `a run that is killed before its manifest is complete leaves nothing`() throws {
        let folder = try WorkFolder(in: root).path
        try makeDirectory(folder.appending("old"))
        try write("{", to: folder.appending("unfinished.json"))
        Publisher.removeLeftovers(in: root)
        #expect(try temporary.files == original)
    }
}
