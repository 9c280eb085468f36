import Bytes
import Files
import LivePhotoBatch
import LivePhotoKit
import SystemPackage

extension FuzzedReader {
    /// Lines that this program signs are read as they were written; others are refused.
    static let journals = FuzzedReader(
        sources: ["Files/RecordSeal.swift"], words: jsonWords,
        samples: {
            [Array("{\"done\":1}\n{\"done\":2}\n".utf8), try seal(.journal).line(Array("{}".utf8)).bytes]
        },
        run: { bytes in
            guard let seal = try? seal(.journal) else { Fuzzing.fail("there is no folder for journals") }
            let limits = RecordSeal.Limits(line: 1 << 16, file: 1 << 20, lines: 1 << 10)
            _ = try? seal.read(scratchFile(bytes), limits) { _, _ in }
            let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(64).map { Array($0) }
            guard lines.allSatisfy({ $0.count < 1 << 15 }) else { return }
            var (written, code) = ([UInt8](), RecordSeal.start)
            for line in lines {
                let signed = seal.line(line, after: code)
                (written, code) = (written + signed.bytes, signed.code)
            }
            Fuzzing.must("signed lines cannot be read") {
                var read: [[UInt8]] = []
                _ = try seal.read(scratchFile(written), limits) { content, _ in read.append(content) }
                Fuzzing.expect(read == lines, "\(read.count) of \(lines.count) signed lines are read")
            }
            guard let place = bytes.first.map({ Int($0) * 17 % max(written.count, 1) }), !written.isEmpty else {
                return
            }
            written[place] ^= 1
            var forged: [[UInt8]] = []
            _ = try? seal.read(scratchFile(written), limits) { content, _ in forged.append(content) }
            Fuzzing.expect(lines.starts(with: forged), "a forged line is read")
        })

    static let undoRecords = FuzzedReader(
        sources: [
            "LivePhotoKit/Publish/PairRecord.swift", "Files/ChangeInverse.swift",
            "LivePhotoKit/Journal/JournalEntry.swift",
            "LivePhotoKit/Journal/JournalText.swift", "Files/PathText.swift",
        ],
        words: jsonWords + [
            "\"inverse\":", "\"regions\":", "\"appended\":", "\"oldSize\":", "\"tail\":", "\"checksum\":",
        ],
        samples: { try sampleRecords() },
        run: { bytes in
            _ = checkedCode(PairRecord.self, bytes)
            _ = checkedCode(JournalLine.self, bytes)
            guard let inverse = checkedCode(ChangeInverse.self, bytes) else { return }
            let file = scratchFile([UInt8](repeating: 0, count: 64), place: 1)
            _ = try? inverse.state(of: file)
            for change in inverse.changes {
                if case .write(_, let offset) = change { Fuzzing.expect(offset >= 0, "a change is before the file") }
            }
        })

    static let manifests = FuzzedReader(
        sources: ["Files/TransactionManifest.swift"],
        words: jsonWords + ["\"entries\":", "\"secondsModified\":", "\"inode\":"],
        samples: {
            [
                #"{"entries":[{"name":"a.JPG","new":{"inode":1,"size":2,"secondsModified":3,"isFolder":false}},{"name":"b"}]}"#
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let manifest = checkedCode(TransactionManifest.self, bytes) else { return }
            for name in manifest.names {
                Fuzzing.expect(name.kind == .regular && !name.string.contains("/"), "\(name) is the name of an entry")
            }
        })

    private static let digest = String(repeating: "0", count: 64)

    static let importLogs = FuzzedReader(
        sources: ["LivePhotoKit/Import/ImportLog+Line.swift", "LivePhotoKit/Import/ImportVerdict.swift"],
        words: jsonWords,
        samples: {
            [
                #"{"folder":""}"#, #"{"copy":{"file":{"path":"/a.jpg","size":7,"modified":-1},"sha256":"\#(digest)"}}"#,
                #"{"item":{"kind":"file","sources":[],"files":[{"path":"a.jpg","size":7,"sha256":"\#(digest)"}],"doubts":[],"related":[],"wasFound":false}}"#,
            ].map { Array($0.utf8) }
        },
        run: { _ = checkedCode(ImportLog.Line.self, $0) })

    static let reports = FuzzedReader(
        sources: [
            "LivePhotoBatch/Journal", "LivePhotoBatch/Report/MergedReport", "LivePhotoBatch/Report/BatchMetrics.swift",
        ],
        words: jsonWords + [
            "\"id\":", "\"status\":", "\"done\"", "\"failed\"", "\"started\"", "\"photo\":", "\"seconds\":",
        ],
        samples: {
            [
                #"{"id":"a","status":"started","key":"k","contentIdentifier":"c"}"# + "\n"
                    + #"{"id":"a","status":"done","photo":{"path":"a.JPG","bytes":5,"sha256":"00"},"seconds":1.5,"attempts":1}"#
                    + "\n"
                    + #"{"id":"b","status":"failed","error":"b: is damaged","reason":"is damaged","code":"unusableMedia"}"#
            ].map { Array($0.utf8) }
        },
        run: exerciseReport)
}

private func seal(_ purpose: RecordSeal.Purpose) throws -> RecordSeal { try sealed.get()(purpose) }

private let sealed: Result<@Sendable (RecordSeal.Purpose) throws -> RecordSeal, any Error> = Result {
    let (folder, key) = (try OpenFolder(named: "."), try RecordKey())
    return { purpose in try RecordSeal(purpose, of: folder, key: key) }
}

/// Records of a small movie that got longer, with one byte overwritten.
private func sampleRecords() throws -> [[UInt8]] {
    let file = scratchFile(Array("movie free".utf8))
    let changes: [FileChange] = [.write(Array("more of it".utf8), at: 10), .synchronize, .write([0x78], at: 6)]
    let inverse = try JSON.line(ChangeInverse(of: changes, in: file))
    let text = String(decoding: inverse, as: UTF8.self)
    let time = #"{"secondsSince1970":1,"nanoseconds":2}"#
    let times = #"{"access":"# + time + #","modification":"# + time + "}"
    let photo = #"{"path":"a.JPG","old":{"size":3,"checksum":4},"new":{"size":5,"checksum":6},"times":"# + times + "}"
    let movie = #"{"path":"a.MOV","inverse":"# + text.dropLast() + #","times":"# + times + "}"
    let record = #""photo":"# + photo + #","movie":"# + movie
    return [inverse, Array("{\(record)}".utf8), Array(#"{"pair":{"number":1,\#(record)},"done":1}"#.utf8)]
}

/// What a report says again is the same.
private func exerciseReport(_ bytes: [UInt8]) {
    func report(_ bytes: [UInt8], place: Int) throws -> MergedReport {
        try MergedReport([scratchPath(bytes, place: place)], folder: "/nowhere")
    }
    guard let found = try? report(bytes, place: 0) else { return }
    _ = (found.totals.text, found.summary)
    var metrics = BatchMetrics(jobs: found.entries.count)
    for entry in found.entries { metrics.add(entry.record, wasDoneEarlier: false) }
    guard !found.entries.isEmpty else { return }
    Fuzzing.must("a report that was written cannot be read") {
        let records = found.entries.map(\.record)
        let again = try report(records.flatMap { try JSON.line($0) }, place: 1).entries.map(\.record)
        Fuzzing.expect(again == records, "a report is read back as another one")
    }
}
