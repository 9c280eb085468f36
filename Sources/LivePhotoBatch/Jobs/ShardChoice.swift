import LivePhotoRequests

/// The value of `--shard`: `3/6`, `auto` or `auto/6`.
package enum ShardChoice: OptionValue {
    case shard(Shard)
    /// The part that the cluster assigns, with the number of parts if the cluster does not set it.
    case automatic(count: Int?)

    package static let kind = "a part of a batch"
    package static let allowed =
        "its number and the number of parts (3/6), auto, or auto/6 if the cluster sets only the number"

    package init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let count = parts.count == 2 ? wholeNumber(parts[1]) : nil
        if parts.first == "auto", parts.count == 1 || Shard(1, of: count ?? 0) != nil {
            self = .automatic(count: count)
        } else if let number = parts.first.flatMap({ wholeNumber($0) }), let count, let shard = Shard(number, of: count)
        {
            self = .shard(shard)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .shard(let shard): shard.description
        case .automatic(let count): count.map { "auto/\($0)" } ?? "auto"
        }
    }

    /// The part for this process.
    ///
    /// - Parameter environment: the environment variables of the process.
    /// - Throws: `LivePhotoError` if the cluster does not set it.
    package func shard(in environment: [String: String]) throws(LivePhotoError) -> Shard {
        switch self {
        case .shard(let shard): return shard
        case .automatic(let count):
            guard let task = ClusterTask(environment) else {
                throw LivePhotoError(
                    .invalidRequest, nil,
                    "no cluster says which part of the batch this is (\(ClusterTask.variables)); write --shard 3/6")
            }
            if let count, let expected = task.count, expected != count {
                throw LivePhotoError(
                    .invalidRequest, nil,
                    "\(task.engine) says that the number of parts is \(expected), not \(count); write --shard 3/6")
            }
            guard let count = count ?? task.count else {
                throw LivePhotoError(
                    .invalidRequest, nil, "\(task.engine) does not say how many parts there are; write --shard auto/6")
            }
            guard let shard = Shard(task.number, of: count) else {
                throw LivePhotoError(
                    .invalidRequest, nil, "\(task.engine) says that this is part \(task.number), but there are \(count)"
                )
            }
            return shard
        }
    }
}

/// The task number that a cluster's scheduler passes to each run of a command.
private struct ClusterTask {
    let engine: String
    /// Counted from 1.
    let number: Int
    let count: Int?

    static let variables = "SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX"

    init?(_ environment: [String: String]) {
        func value(_ name: String) -> Int? { environment[name].flatMap { wholeNumber($0) } }
        if let id = value("SLURM_ARRAY_TASK_ID") {
            // An array may start at any number and have gaps: `--array=10-30:5`.
            let first = value("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(value("SLURM_ARRAY_TASK_STEP") ?? 1, 1)
            (engine, number, count) = ("Slurm", (id - first) / step + 1, value("SLURM_ARRAY_TASK_COUNT"))
        } else if let index = value("JOB_COMPLETION_INDEX") {
            (engine, number, count) = ("Kubernetes", index + 1, nil)
        } else if let index = value("AWS_BATCH_JOB_ARRAY_INDEX") {
            (engine, number, count) = ("AWS Batch", index + 1, value("AWS_BATCH_JOB_ARRAY_SIZE"))
        } else {
            return nil
        }
    }
}

extension Shard {
    /// Whether the job is in this part, which its id decides.
    public func contains(_ job: Job) -> Bool { contains(id: job.id) }
}
