import LivePhotoPages

/// When, where and by which version the jobs of a report were run.
struct ReportOrigin {
    private var ended: String?
    private var hosts: Set<String> = []
    private var shards: Set<String> = []
    private var versions: Set<String> = []

    mutating func add(_ record: JobRecord) {
        if let time = record.ended { ended = max(ended ?? time, time) }
        if let host = record.host { hosts.insert(host) }
        if let shard = record.shard { shards.insert(shard) }
        if let version = record.version { versions.insert(version) }
    }

    /// A paragraph; empty if nothing is known.
    var html: String {
        func list(_ name: String, _ distinct: Set<String>) -> String? {
            let values = distinct.sorted()
            guard let first = values.first else { return nil }
            return name + " "
                + (values.count > 8
                    ? "\(HTML.text(first)) and \(values.count - 1) others"
                    : values.map(HTML.text).joined(separator: ", "))
        }
        let parts = [
            ended.map { "Last ended \(HTML.text($0))" }, list("on", hosts), list("parts", shards),
            list("livephoto", versions),
        ].compactMap(\.self)
        return parts.isEmpty ? "" : "<p class=\"origin\">\(parts.joined(separator: " · "))</p>\n"
    }
}
