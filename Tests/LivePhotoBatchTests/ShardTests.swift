import LivePhotoBatch
import Testing

@Suite struct ShardTests {
    /// Variables of the tasks of one array, in the order of the parts that they do.
    struct Engine: CustomTestStringConvertible {
        let name: String
        let option: String
        let tasks: [[String: String]]

        var testDescription: String { name }

        /// - Parameters:
        ///   - ids: `--array` in full.
        static func slurm(_ name: String, _ ids: [Int], step: Int = 1) -> Engine {
            Engine(
                name: name, option: "auto",
                tasks: ids.map {
                    [
                        "SLURM_ARRAY_TASK_ID": "\($0)", "SLURM_ARRAY_TASK_MIN": "\(ids.min() ?? 0)",
                        "SLURM_ARRAY_TASK_MAX": "\(ids.max() ?? 0)", "SLURM_ARRAY_TASK_STEP": "\(step)",
                        "SLURM_ARRAY_TASK_COUNT": "\(ids.count)",
                    ]
                })
        }

        static let all = [
            slurm("--array=1-6", Array(1...6)),
            slurm("--array=0-5", Array(0...5)),
            slurm("--array=10-35:5", [10, 15, 20, 25, 30, 35], step: 5),
            Engine(name: "Kubernetes", option: "auto/6", tasks: (0..<6).map { ["JOB_COMPLETION_INDEX": "\($0)"] }),
            Engine(
                name: "AWS Batch", option: "auto",
                tasks: (0..<6).map { ["AWS_BATCH_JOB_ARRAY_INDEX": "\($0)", "AWS_BATCH_JOB_ARRAY_SIZE": "6"] }),
        ]
    }

    @Test(arguments: Engine.all)
    func `the tasks of an array do all parts, each one of them`(engine: Engine) throws {
        let choice = try ShardChoice(engine.option)
        let shards = try engine.tasks.map { try choice.shard(in: $0.merging(["HOME": "/"]) { first, _ in first }) }
        #expect(shards.map(\.description) == (1...6).map { "\($0)/6" })
    }

    @Test(
        arguments: [
            ("auto", [:], "no cluster says which part"),
            ("auto/6", [:], "no cluster says which part"),
            ("auto", ["SLURM_ARRAY_TASK_ID": "x"], "no cluster says which part"),
            ("auto", ["JOB_COMPLETION_INDEX": "0"], "Kubernetes does not say how many parts there are"),
            ("auto/6", ["JOB_COMPLETION_INDEX": "6"], "Kubernetes says that this is part 7, but there are 6"),
            // One task of an array sent by itself, or a list of tasks with gaps.
            (
                "auto/6", ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_COUNT": "1"],
                "Slurm says that the number of parts is 1, not 6"
            ),
            (
                "auto", ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"],
                "Slurm says that this is part 5, but there are 3"
            ),
            (
                "auto/5", ["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "6"],
                "AWS Batch says that the number of parts is 6, not 5"
            ),
        ] as [(String, [String: String], String)])
    func `a part that nobody can tell is an error`(
        option: String, environment: [String: String], message: String
    ) throws {
        let choice = try ShardChoice(option)
        let error = #expect(throws: (any Error).self) { try choice.shard(in: environment) }
        #expect("\(error, default: "")".hasPrefix(message))
    }

    @Test(arguments: ["1/1", "3/6", "1000000/1000000", "auto", "auto/6"])
    func `a part is read and written in one way`(text: String) throws {
        #expect(try ShardChoice(text).description == text)
    }

    @Test(arguments: [
        "", "3", "0/6", "7/6", "-1/6", "3/0", "3/", "/6", "3/6/9", "1/1000001", "auto/", "auto/0", "AUTO",
    ])
    func `what names no part is refused`(text: String) {
        #expect(throws: (any Error).self) { try ShardChoice(text) }
    }

    /// Names as clips have them: near each other, and few bytes of them tell.
    private static let ids = (0..<10_000).map { "holiday/IMG_\($0)" }

    @Test(arguments: [1, 6, 7])
    func `every job is in one part, and the parts are even`(count: Int) {
        let shards = (1...count).compactMap { Shard($0, of: count) }
        #expect(shards.count == count)
        var sizes: [Int] = []
        var whole = Set<String>()
        for shard in shards {
            let part = Self.ids.filter { shard.contains(id: $0) }
            sizes.append(part.count)
            whole.formUnion(part)
        }
        #expect(sizes.reduce(0, +) == Self.ids.count && whole.count == Self.ids.count)
        let mean = Double(Self.ids.count) / Double(count)
        #expect(sizes.allSatisfy { abs(Double($0) - mean) < mean * 0.1 }, "\(sizes)")
    }

    @Test func `a job stays in its part when others come and go`() throws {
        func jobs(_ names: [String]) throws -> [Job] {
            let lines = names.map { #"{"input": "clips/\#($0).mp4"}"# }.joined(separator: "\n")
            return try JobFile(Array(lines.utf8), name: "jobs.jsonl", folder: "", isLines: true).jobs
        }
        let few = try jobs(["b", "d", "f", "h"])
        let many = try jobs("abcdefghij".map(String.init))
        for number in 1...3 {
            let shard = try #require(Shard(number, of: 3))
            let names = Set(few.map(\.id))
            #expect(
                few.map(\.id).filter(shard.contains) == many.map(\.id).filter(shard.contains).filter(names.contains))
        }
    }

    /// A batch that goes on with another version of the program finds its parts, and their journals, again.
    @Test func `a job's part is the same for good`() throws {
        let parts = ["a", "holiday/IMG_1", "holiday/IMG_2", "Ärger 3", ""].map { id in
            (1...6).first { Shard($0, of: 6)?.contains(id: id) == true }
        }
        #expect(parts == [5, 6, 3, 2, 4])
    }
}
