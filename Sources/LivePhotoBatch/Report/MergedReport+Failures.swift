extension MergedReport {
    /// Failed jobs with one reason.
    package struct Failures: Sendable {
        /// One sentence, without the name of a file if the records say it.
        package let reason: String
        package fileprivate(set) var records: [JobRecord]
    }

    /// The failed jobs by their reasons, the most frequent one first. Reasons that differ only in numbers, such as the place of
    /// a fault, are one.
    package var failures: [Failures] {
        var groups: [Failures] = []
        var indices: [String: Int] = [:]
        for record in entries.lazy.map(\.record) where record.status == .failed {
            // Records of earlier versions have only the whole error, with the name of a file.
            let reason = record.reason ?? record.error ?? "failed"
            let key = record.reason?.replacing(/[0-9]+/, with: "0") ?? reason
            if let index = indices[key] {
                groups[index].records.append(record)
            } else {
                indices[key] = groups.count
                groups.append(Failures(reason: reason, records: [record]))
            }
        }
        // Groups of one size stay in the order of the jobs.
        return groups.enumerated().sorted {
            ($1.element.records.count, $0.offset) < ($0.element.records.count, $1.offset)
        }
        .map(\.element)
    }
}
