extension MergedReport {
    /// Failed jobs with one reason.
    package struct Failures: Sendable {
        /// One sentence, without the name of a file if the records say it.
        package let reason: String
        /// How many jobs there are.
        package var count: Int { entries.count }
        private let entries: SomeEntries

        fileprivate init(_ reason: String, _ entries: SomeEntries) { (self.reason, self.entries) = (reason, entries) }

        /// The first jobs, at most so many.
        package func records(atMost limit: Int) -> [JobRecord] { entries.prefix(limit).map(\.record) }
    }

    /// Finds the jobs that failed, by their reasons.
    struct FailureSearch {
        private var groups = ReasonGroups<String, Int32>()

        mutating func add(_ record: JobRecord, number: Int) {
            guard record.status == .failed else { return }
            // Records of earlier versions have only the whole error, with the name of a file.
            let reason = record.reason ?? record.error ?? "failed"
            groups.add(Int32(number), reason, text: reason, ignoresNumbers: record.reason != nil)
        }

        /// The most frequent reason first.
        func failures(in report: MergedReport) -> [Failures] {
            groups.sorted.map { Failures($0.reason, report.entries($0.elements)) }
        }
    }

    /// The sums over all entries, and the failed jobs by their reasons, the most frequent one first.
    package var summary: (totals: Totals, failures: [Failures]) {
        var sum = Sum()
        var search = FailureSearch()
        for (number, entry) in entries.enumerated() {
            sum.add(entry.record)
            search.add(entry.record, number: number)
        }
        return (sum.totals, search.failures(in: self))
    }

    /// Whether all jobs are done.
    package var isComplete: Bool { entries.indices.allSatisfy { entries.status(of: $0) == .done } }
}
