import SystemPackage

/// Which of the files of some items are equal. Only those of one size are read: with each other, and with what the library
/// was made of.
struct FileContents {
    /// Where the files of each item begin, and where the last ones end.
    private var starts: [Int32] = [0]
    /// The number of the content of each file, which is that of the first file that has it. That of a file that was not read, as
    /// nothing has its size, is below -1.
    private var numbers: [Int32] = []

    /// - Parameter progress: Called with the number of files compared, and of all.
    /// - Throws: `CancellationError`.
    init(_ items: [ImportItem], _ work: ImportWork, _ progress: (Int, Int) -> Void) async throws {
        var paths: [FilePath] = []
        paths.reserveCapacity(items.reduce(0) { $0 + ($1.isLivePhoto ? 2 : 1) })
        for item in items {
            try Task.checkCancellation()
            paths += item.sources
            starts.append(Int32(paths.count))
        }
        numbers = paths.indices.map { -2 - Int32($0) }
        let several = try await Self.several(paths, work)
        work.digests.reserveCapacity(several.count)
        var firsts = FirstFiles()
        var done = 0
        try await concurrentForEach(several, width: work.options.width) { [paths] index -> ContentDigest? in
            let path = paths[Int(index)]
            if let file = try? SourceFile(path), let known = work.log.digest(of: file) {
                work.digests.add(known, of: file)
            }
            return try? work.digests.read(path).sha256
        } body: { digest in
            if let digest {
                numbers[Int(several[done])] = firsts.first(with: digest, adding: several[done]) {
                    work.digests.known(paths[Int($0)])
                }
            }
            done += 1
            progress(done, several.count)
        }
    }

    /// How many files there are. No number of a content is larger.
    var count: Int { numbers.count }

    /// The numbers of the files of an item.
    func files(of item: Int) -> Range<Int> { Int(starts[item])..<Int(starts[item + 1]) }

    /// The number of a file's content.
    subscript(file: Int) -> Int32 { numbers[file] }

    /// Whether a file was read.
    func isKnown(_ file: Int) -> Bool { numbers[file] >= 0 }

    /// So many files are asked for their sizes at a time.
    private static let part = 256

    /// The indices of files whose sizes others have.
    private static func several(_ paths: [FilePath], _ work: ImportWork) async throws -> [Int32] {
        let parts = Array(stride(from: 0, to: paths.count, by: part))
        var sizes: [Int] = []
        try await concurrentForEach(parts, width: work.options.width) { start in
            paths[start..<min(start + part, paths.count)].map { (try? SourceFile($0).size) ?? -1 }
        } body: {
            sizes += $0
        }
        var counts: [Int: Int32] = [:]
        for size in sizes where size >= 0 { counts[size, default: 0] += 1 }
        return sizes.indices.filter { index in
            let size = sizes[index]
            return size >= 0 && (counts[size] ?? 0 > 1 || work.log.hasSource(size: size))
        }.map { Int32($0) }
    }
}

/// The first file of each content, by a part of its digest: the table of files has all of it.
private struct FirstFiles {
    private var byHead: [UInt64: Int32] = [:]
    /// Those whose part others have too.
    private var others: [ContentDigest: Int32] = [:]

    /// - Parameter digest: That of a file that is known.
    mutating func first(with sha256: ContentDigest, adding file: Int32, digest: (Int32) -> ContentDigest?) -> Int32 {
        guard let first = byHead[sha256.head] else {
            byHead[sha256.head] = file
            return file
        }
        if digest(first) == sha256 { return first }
        let other = others[sha256] ?? file
        others[sha256] = other
        return other
    }
}
