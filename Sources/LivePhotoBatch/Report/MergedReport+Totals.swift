extension MergedReport {
    /// Sums over all jobs.
    public struct Totals: Sendable, Hashable {
        /// Jobs that made a pair.
        public fileprivate(set) var done = 0
        /// Jobs that ended without one.
        public fileprivate(set) var failed = 0
        /// Jobs that are pending or were interrupted.
        public fileprivate(set) var notDone = 0
        /// The size of all photos and movies.
        public fileprivate(set) var bytes = 0
        /// The sum of all jobs' durations.
        public fileprivate(set) var seconds = 0.0
        /// The median of the jobs' durations; nil if no job has one, like `slowest`.
        public fileprivate(set) var medianSeconds: Double?
        /// The job with the longest duration.
        public fileprivate(set) var slowest: JobRecord?
    }

    /// Sums over all entries.
    public var totals: Totals {
        var sum = Sum()
        for entry in entries { sum.add(entry.record) }
        return sum.totals
    }

    /// Sums up records.
    struct Sum {
        private var result = Totals()
        private var times: [Double] = []

        mutating func add(_ record: JobRecord) {
            switch record.status {
            case .done: result.done += 1
            case .failed: result.failed += 1
            case .started, .pending: result.notDone += 1
            }
            // A file may contain any number.
            let (sum, isTooLarge) = result.bytes.addingReportingOverflow(record.outputBytes ?? 0)
            result.bytes = isTooLarge ? .max : sum
            guard let seconds = record.seconds else { return }
            result.seconds += seconds
            times.append(seconds)
            if seconds > result.slowest?.seconds ?? -.infinity { result.slowest = record }
        }

        var totals: Totals {
            var totals = result
            let times = times.sorted()
            if let upper = times.dropFirst(times.count / 2).first {
                let lower = times[(times.count - 1) / 2]
                totals.medianSeconds = lower + (upper - lower) / 2
            }
            return totals
        }
    }
}

extension MergedReport.Totals {
    /// `38 done, 2 failed, 0 not done; 120.4 MB; 1 min 20 s, median 2.1 s, slowest 8.0 s (beach)`
    package var text: String {
        var times = [Words.time(seconds: seconds)]
        if let medianSeconds { times.append("median \(Words.time(seconds: medianSeconds))") }
        if let slowest, let seconds = slowest.seconds {
            times.append("slowest \(Words.time(seconds: seconds)) (\(slowest.id))")
        }
        return "\(done) done, \(failed) failed, \(notDone) not done; \(Words.size(bytes: bytes)); "
            + times.joined(separator: ", ")
    }
}

extension JobRecord {
    /// The size of photo and movie; nil without them.
    package var outputBytes: Int? {
        guard photo != nil || movie != nil else { return nil }
        let (sum, isTooLarge) = (photo?.bytes ?? 0).addingReportingOverflow(movie?.bytes ?? 0)
        return isTooLarge ? .max : sum
    }
}
