import Digests
import SystemPackage

/// What the lines of a log say, without what is needed twice: a library may have a million files.
struct ImportLogContent {
    typealias Entry = ImportLog.Entry

    /// The items in the order of the lines that added them. A later line replaces an earlier one with the same first file.
    private(set) var list: [Entry] = []
    /// The numbers of items in the list, by their first files.
    private var numbers: [FilePath: Int32] = [:]
    /// The item of each source.
    private var items: [FilePath: Int32] = [:]
    private(set) var copies: [FilePath: ImportLog.Source] = [:]
    /// The first item of each content, by the content's head.
    private var firstOfContent: [UInt64: Int32] = [:]
    /// Those after the first, of contents that have several.
    private var othersOfContent: [UInt64: [Int32]] = [:]
    private(set) var sizes: Set<Int> = []
    /// All contents that were logged for each file. A kill may have left the one that another was to replace.
    private var versions: Set<Version> = []
    var folders: [FilePath] = []
    /// By the files, as they were.
    private(set) var verdicts: [Set<ImportLog.FileState>: PairDecisions.Verdict] = [:]

    /// A file and its content, as 16 bytes.
    private struct Version: Hashable {
        private let first, second: UInt64

        init(_ file: FilePath, _ sha256: ContentDigest) {
            let name = file.withPlatformString { path in
                UnsafeBufferPointer(start: path, count: file.length).map { UInt8(bitPattern: $0) }
            }
            let digest = Digest.sha256(name + [0] + Array("\(sha256)".utf8))
            func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            (first, second) = (word(digest[..<8]), word(digest[8..<16]))
        }
    }

    mutating func add(_ line: ImportLog.Line) {
        if let entry = line.item, let first = entry.files.first?.path.path { add(entry, first) }
        if let verdict = line.verdict { verdicts[[verdict.photo, verdict.movie]] = verdict.decision }
        if let copy = line.copy { copies[copy.path] = copy }
        if let folder = line.folder?.path, !folders.contains(folder) { folders.append(folder) }
    }

    private mutating func add(_ entry: Entry, _ first: FilePath) {
        let number: Int32
        if let known = numbers[first] {
            number = known
            list[Int(known)] = entry
        } else {
            number = Int32(list.count)
            numbers[first] = number
            list.append(entry)
        }
        for file in entry.files { versions.insert(Version(file.path.path, file.sha256)) }
        for source in entry.sources {
            items[source.path] = number
            sizes.insert(source.file.size.value)
            let head = source.sha256.head
            let last = othersOfContent[head]?.last ?? firstOfContent[head]
            if last == nil {
                firstOfContent[head] = number
            } else if last != number {
                othersOfContent[head, default: []].append(number)
            }
        }
    }

    /// The item of a file, by its absolute path.
    func item(of source: FilePath) -> Entry? { items[source].map { list[Int($0)] } }

    /// The items that have a source of this content, the last one first.
    func items(ofContent sha256: ContentDigest) -> [Entry] {
        guard let first = firstOfContent[sha256.head] else { return [] }
        // Another item may have the place of one that was replaced.
        return ([first] + (othersOfContent[sha256.head] ?? [])).reversed().map { list[Int($0)] }.filter { entry in
            entry.sources.contains { $0.sha256 == sha256 }
        }
    }

    /// Whether a file was logged with this content.
    func wasMade(_ file: FilePath, _ sha256: ContentDigest) -> Bool { versions.contains(Version(file, sha256)) }
}
