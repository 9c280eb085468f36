import Foundation
import TestSupport
import Testing

/// The secret that signs the records by which changes in place are undone.
@Suite struct RecordKeyTests {
    private let folder: TemporaryFolder
    private static let count = 6

    init() throws {
        folder = try TemporaryFolder()
        for number in 0..<Self.count {
            try FileManager.default.createDirectory(
                atPath: folder.path("\(number)"), withIntermediateDirectories: false)
            for name in ["1.jpg", "1.mov"] {
                try SamplePair.write("\(number)/\(name)", identifier: 1, below: folder.path)
            }
        }
    }

    private func run(_ arguments: [String], state: String) throws -> Outcome {
        try Program.livephoto(arguments, in: folder.url, environment: ["XDG_STATE_HOME": folder.path(state)])
    }

    private func edit(_ number: Int) -> [String] { ["edit", "\(number)/1.jpg", "--no-audio", "--in-place"] }

    @Test func `programs that need it at the same time make one key, which only its user can read`() throws {
        let running = try (0..<Self.count).map { number in
            try RunningProgram(
                Program.livephoto, edit(number), in: folder.url, environment: ["XDG_STATE_HOME": folder.path("state")])
        }
        for program in running { #expect(try program.wait().status == 0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("state/livephoto")) == ["key"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("state/livephoto/key"))
        #expect(attributes[.posixPermissions] as? Int == 0o600 && attributes[.size] as? Int == 32)
        for number in 0..<Self.count {
            let outcome = try run(["undo", "\(number)"], state: "state")
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test func `what a killed run has left beside the key goes when one is made`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("state/livephoto"), withIntermediateDirectories: true)
        try Data(count: 32).write(to: folder.url.appending(path: "state/livephoto/key-1"))
        #expect(try run(edit(0), state: "state").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("state/livephoto")) == ["key"])
        #expect(try run(["undo", "0"], state: "state").status == 0)
    }

    @Test func `another key undoes nothing, and none at all neither`() throws {
        #expect(try run(edit(0), state: "state").status == 0)
        #expect(try run(edit(1), state: "other").status == 0)
        let before = try folder.files
        for state in ["other", "none"] {
            let outcome = try run(["undo", "0"], state: state)
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.errors.contains("was not written there by you on this machine"), "\(outcome)")
        }
        #expect(try folder.files == before)
        #expect(try run(["undo", "0"], state: "state").status == 0)
    }

    /// What is in place of the key.
    enum Obstacle: CaseIterable {
        case fileForFolder, linkForKey, readableByOthers, short, folderForKey
    }

    @Test(arguments: Obstacle.allCases)
    func `without a usable key, pairs are not changed in place, and the error says what to do`(
        obstacle: Obstacle
    ) throws {
        #expect(try run(edit(0), state: "state").status == 0)
        let (state, key) = (folder.path("state/livephoto"), folder.path("state/livephoto/key"))
        let files = FileManager.default
        switch obstacle {
        case .fileForFolder:
            try files.removeItem(atPath: state)
            try folder.write("", to: "state/livephoto")
        case .linkForKey:
            try files.moveItem(atPath: key, toPath: folder.path("moved"))
            try files.createSymbolicLink(atPath: key, withDestinationPath: folder.path("moved"))
        case .readableByOthers: try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
        case .short: try folder.write("short", to: "state/livephoto/key", permissions: 0o600)
        case .folderForKey:
            try files.removeItem(atPath: key)
            try files.createDirectory(atPath: key, withIntermediateDirectories: false)
        }
        let before = try folder.files
        for arguments in [
            edit(1), ["link", "2/1.jpg", "--in-place"], ["link", "--by-name", "3", "--in-place"],
            ["unlink", "4/1.jpg", "--in-place"], ["undo", "0"], ["undo", "0/1.jpg"],
        ] {
            let outcome = try run(arguments, state: "state")
            // A folder of pairs that are linked already is not changed.
            guard arguments[1] != "--by-name" || outcome.status != 0 else { continue }
            #expect(outcome.status == 73, "\(arguments) \(outcome)")
            #expect(outcome.errors.contains("set XDG_STATE_HOME"), "\(arguments) \(outcome)")
            #expect(try folder.files == before, "\(arguments)")
        }
    }
}
