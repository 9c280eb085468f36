import Foundation
import LivePhotoKit
import SystemPackage
import TestSupport

/// The lines of journals and records of changes without their signatures, to be signed again after they are edited or in
/// another hidden folder: as only this user's program could have written them.
enum SignedRecords {
    /// Of `["`, a code of 64 digits and `",`.
    private static let headSize = 68

    static func contents(of path: FilePath) throws -> [String] {
        try read(path).split(separator: "\n").map { String($0.dropFirst(headSize).dropLast()) }
    }

    /// Writes a file in a hidden folder, signed for that.
    static func write(_ contents: [String], to path: FilePath, _ purpose: RecordSeal.Purpose = .journal) throws {
        let folder = try OpenFolder(named: path.removingLastComponent())
        let seal = try RecordSeal(purpose, of: folder, key: RecordKey())
        var (bytes, code) = (Data(), [UInt8]?.none)
        for content in contents {
            let line = seal.line(Array(content.utf8), after: code)
            bytes += line.bytes
            code = line.code
        }
        try bytes.write(to: URL(fileURLWithPath: path.string))
    }

    /// Edits each line and signs it again.
    static func edit(
        _ path: FilePath, _ purpose: RecordSeal.Purpose = .journal, _ change: (String) -> String
    ) throws {
        try write(contents(of: path).map(change), to: path, purpose)
    }
}
