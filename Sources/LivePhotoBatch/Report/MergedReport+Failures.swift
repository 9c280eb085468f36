extension MergedReport {
    /// Failed jobs with one reason.
    package struct Failures: Sendable {
        /// One sentence, without the name of a file if the records say it.
        package let reason: String
        package let records: [JobRecord]
    }

    /// The failed jobs by their reasons, the most frequent one first.
    package var failures: [Failures] {
        var groups = ReasonGroups<String, JobRecord>()
        for record in entries.lazy.map(\.record) where record.status == .failed {
            // Records of earlier versions have only the whole error, with the name of a file.
            let reason = record.reason ?? record.error ?? "failed"
            groups.add(record, reason, text: reason, ignoresNumbers: record.reason != nil)
        }
        return groups.sorted.map { Failures(reason: $0.reason, records: $0.elements) }
    }
}
