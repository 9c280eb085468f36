import SystemPackage

/// Where the records of jobs are in a file of lines. A batch may have a million jobs, so that neither records nor ids are kept,
/// but hashes of ids. Those of Swift differ in each process, so that no file is made for equal ones.
struct RecordIndex: Sendable {
    /// Where a job has its last record.
    struct Entry: Sendable {
        let id: Int
        fileprivate(set) var offset: Int
        fileprivate(set) var status: JobRecord.Status
        /// The hash of the pair that the record has started; 0 for none.
        fileprivate var pair: Int
        /// The last of the other pairs in `pairs`; -1 for none.
        fileprivate var others: Int32 = -1
    }

    /// A pair that a superseded record has started, and the index of another one of the job.
    private struct Pair: Sendable {
        let offset: Int
        let pair: Int
        let next: Int32
    }

    /// One for each job, in the order of the first records.
    private(set) var entries: [Entry] = []
    private var numbers: [Int: Int32] = [:]
    private var pairs: [Pair] = []

    /// The maximum number of jobs, and of pairs started for one of them: more than a batch has.
    private static let jobsLimit = 1 << 24
    private static let pairsLimit = 1 << 10

    /// - Throws: `Errno.fileTooLarge` for more jobs than any batch has.
    mutating func add(_ record: JobRecord, at offset: Int) throws(Errno) {
        let id = record.id.hashValue
        let pair = StartedPair(record)?.hashValue ?? 0
        guard let number = numbers[id] else {
            guard entries.count < Self.jobsLimit else { throw .fileTooLarge }
            numbers[id] = Int32(entries.count)
            entries.append(Entry(id: id, offset: offset, status: record.status, pair: pair))
            return
        }
        keepPair(of: Int(number), besides: pair)
        entries[Int(number)].offset = offset
        entries[Int(number)].status = record.status
        entries[Int(number)].pair = pair
    }

    /// Keeps the pair of a record that is superseded, unless it is known.
    private mutating func keepPair(of number: Int, besides new: Int) {
        let entry = entries[number]
        guard entry.pair != 0, entry.pair != new else { return }
        var (other, count) = (entry.others, 0)
        while other >= 0 {
            let known = pairs[Int(other)]
            count += 1
            guard known.pair != entry.pair, count < Self.pairsLimit else { return }
            other = known.next
        }
        entries[number].others = Int32(pairs.count)
        pairs.append(Pair(offset: entry.offset, pair: entry.pair, next: entry.others))
    }

    /// Where the last record of a job is.
    func offset(of id: String) -> Int? { numbers[id.hashValue].map { entries[Int($0)].offset } }

    /// Where the records are that have started the pairs of a job, one for each pair.
    func offsetsOfPairs(of id: String) -> [Int] {
        guard let number = numbers[id.hashValue] else { return [] }
        let entry = entries[Int(number)]
        var offsets = entry.pair == 0 ? [] : [entry.offset]
        var other = entry.others
        while other >= 0 {
            offsets.append(pairs[Int(other)].offset)
            other = pairs[Int(other)].next
        }
        return offsets
    }
}
