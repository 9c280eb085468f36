import Files
import SystemPackage

/// Where what the lines of a log say is, by hashes: a library may have a million files, whose lines would take a gigabyte of
/// memory. Whoever looks one up reads its line again, and sees whether it is about the file that was meant. Hashes of Swift
/// differ in each process, so that no file is made for equal ones.
struct ImportLogContent {
    typealias Place = SignedLog.Place

    /// The lines of items in the order in which these were added. A later line replaces an earlier one with the same first
    /// file.
    private(set) var list: [Place] = []
    private(set) var kinds: [LibraryImport.Kind] = []
    private(set) var foldersOfFiles: Set<FilePath> = []
    /// The numbers of items in the list, by their first files.
    private var numbers: [LongHash: Int32] = [:]
    /// The item of each source.
    private var items: [Int: Int32] = [:]
    private(set) var copies: [Int: Place] = [:]
    /// The first item of each content, by the content's head.
    private var firstOfContent: [UInt64: Int32] = [:]
    /// Those after the first, of contents that have several.
    private var othersOfContent: [UInt64: [Int32]] = [:]
    private(set) var sizes: Set<Int> = []
    /// All contents that were logged for each file. A kill may have left the one that another was to replace.
    private var versions: Set<LongHash> = []
    var folders: [FilePath] = []
    /// By the files, as they were.
    private(set) var verdicts: [Set<ImportLog.FileState>: PairDecisions.Verdict] = [:]

    /// A hash of what is not read again.
    private struct LongHash: Hashable {
        private let first, second: Int

        init(_ values: [AnyHashable]) { (first, second) = (values.hashValue, (values + ["again"]).hashValue) }
    }

    /// - Parameters:
    ///   - place: Nil if it is not written. An item or a copy always is.
    ///   - isOwn: Whether this run has made it. Contents are looked up only before anything is made.
    mutating func add(_ line: ImportLog.Line, at place: Place?, isOwn: Bool) {
        if let entry = line.item, let first = entry.files.first?.path.path, let place {
            let number = add(entry, first, place)
            if !isOwn { addContents(of: entry, number) }
        }
        if let verdict = line.verdict { verdicts[[verdict.photo, verdict.movie]] = verdict.decision }
        if let copy = line.copy, let place { copies[copy.path.hashValue] = place }
        if let folder = line.folder?.path, !folders.contains(folder) { folders.append(folder) }
    }

    /// - Returns: The number of the item.
    private mutating func add(_ entry: ImportLog.Entry, _ first: FilePath, _ place: Place) -> Int32 {
        let number: Int32
        if let known = numbers[LongHash([first])] {
            number = known
            (list[Int(known)], kinds[Int(known)]) = (place, entry.kind)
        } else {
            number = Int32(list.count)
            numbers[LongHash([first])] = number
            list.append(place)
            kinds.append(entry.kind)
        }
        for file in entry.files {
            versions.insert(LongHash([file.path.path, file.sha256]))
            foldersOfFiles.insert(file.path.path.removingLastComponent())
        }
        for source in entry.sources {
            items[source.path.hashValue] = number
        }
        return number
    }

    private mutating func addContents(of entry: ImportLog.Entry, _ number: Int32) {
        for source in entry.sources {
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
    func item(of source: FilePath) -> Place? { items[source.hashValue].map { list[Int($0)] } }

    /// What says that a file is a copy, by its absolute path.
    func copy(of source: FilePath) -> Place? { copies[source.hashValue] }

    /// The items that may have a source of this content, the last one first. Another item may have the place of one that was
    /// replaced.
    func items(ofContent sha256: ContentDigest) -> [Place] {
        guard let first = firstOfContent[sha256.head] else { return [] }
        return ([first] + (othersOfContent[sha256.head] ?? [])).reversed().map { list[Int($0)] }
    }

    /// Whether a file was logged with this content.
    func wasMade(_ file: FilePath, _ sha256: ContentDigest) -> Bool {
        versions.contains(LongHash([file, sha256]))
    }
}
