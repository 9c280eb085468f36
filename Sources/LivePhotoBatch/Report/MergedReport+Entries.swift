import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

extension MergedReport {
    /// The best records of all jobs. Each is read from its file when it is asked for, because those of a million jobs would need
    /// gigabytes of memory. If another program has changed its line meanwhile, the record says so as its error.
    public struct Entries: RandomAccessCollection, Sendable {
        /// Where the best record of a job is.
        struct Slot: Sendable {
            /// Its offset in the file.
            let place: Int
            /// The number of the source; -1 for a job without a record.
            let source: Int32
            let status: JobRecord.Status

            init(_ status: JobRecord.Status, source: Int, place: Int) {
                (self.status, self.source, self.place) = (status, Int32(source), place)
            }
        }

        private var slots: [Slot] = []
        private var sources: [ReportSource] = []
        /// The jobs that the report is about, and the folder of those without a record; nil if all with a record count.
        private var jobs: (all: [Job], folder: FilePath)?
        private let file = OpenedFile()

        private final class OpenedFile: Sendable {
            let latest = Mutex<(source: Int, file: InputFile)?>(nil)
        }

        /// 0.
        public var startIndex: Int { 0 }
        /// The number of jobs.
        public var endIndex: Int { slots.count }

        /// The best record of a job.
        public subscript(index: Int) -> Entry {
            let slot = slots[index]
            let id = jobs?.all[index].id
            guard slot.source >= 0 else {
                return Entry(record: JobRecord(id ?? "", .pending), folder: jobs?.folder ?? "")
            }
            let source = sources[Int(slot.source)]
            guard let record = source.record(at: slot.place, Int(slot.source), file.latest),
                id.map({ $0 == record.id }) ?? true
            else {
                return Entry(
                    record: JobRecord(lost: id ?? "the job at byte \(slot.place)", source.path), folder: source.folder)
            }
            return Entry(record: record, folder: source.folder)
        }

        /// The status of a job, which needs no file.
        package func status(of index: Int) -> JobRecord.Status { slots[index].status }

        /// The numbers of the jobs with a status.
        func numbers(_ isIncluded: (JobRecord.Status) -> Bool) -> [Int32] {
            slots.indices.filter { isIncluded(slots[$0].status) }.map { Int32($0) }
        }

        /// - Returns: the number of the source.
        mutating func add(_ source: ReportSource) -> Int {
            sources.append(source)
            return sources.count - 1
        }

        mutating func append(_ slot: Slot) { slots.append(slot) }

        mutating func replace(_ index: Int, by slot: Slot) { slots[index] = slot }

        /// Keeps these jobs, in this order.
        ///
        /// - Returns: how many others there were.
        mutating func keep(_ jobs: [Job], folder: FilePath, _ number: (String) -> Int?) -> Int {
            var areKnown = [Bool](repeating: false, count: slots.count)
            slots = jobs.map { job in
                guard let number = number(job.id) else { return Slot(.pending, source: -1, place: 0) }
                areKnown[number] = true
                return slots[number]
            }
            self.jobs = (jobs, folder)
            return areKnown.count { !$0 }
        }
    }

    /// Some of the entries, read when they are asked for.
    struct SomeEntries: RandomAccessCollection, Sendable {
        fileprivate let numbers: [Int32]
        fileprivate let entries: Entries

        var startIndex: Int { 0 }
        var endIndex: Int { numbers.count }

        subscript(index: Int) -> Entry { entries[Int(numbers[index])] }
    }

    /// The entries of these numbers.
    func entries(_ numbers: [Int32]) -> SomeEntries { SomeEntries(numbers: numbers, entries: entries) }
}
