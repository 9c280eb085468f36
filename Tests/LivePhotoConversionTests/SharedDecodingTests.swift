import Bytes
import LivePhotoConversion
import LivePhotoKit
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// One decoding of a clip for several movies.
@Suite struct SharedDecodingTests {
    private static let clip = Result {
        FilePath(try SampleClips.moving("shared.mp4", size: "160x120", rate: "30", seconds: 6))
    }

    private func plan(still: String, _ clip: FilePath) throws -> ConversionPlan {
        var work = ClipWork(clip, .classic, to: ".")
        work.preset.window.still = try RequestedStill(still)
        return try Conversion(work, ConversionFiles(of: work), CancellationFlag()).plan()
    }

    @Test(arguments: [[true, true], [true, false, true], [true, true, true, true], [false, true], [true, false]])
    func `each conversion that has a plan gets all its frames, if there are two`(joins: [Bool]) throws {
        let clip = try Self.clip.get()
        let plans = try joins.indices.map { try plan(still: "\(2 + Double($0) / 2)", clip) }
        let decoding = SharedDecoding(members: joins.count)
        let counts = Mutex<[Int: Int?]>([:])
        let threads = try joins.indices.map { index in
            try WorkerThread {
                let member = SharedDecoding.Member(index, of: decoding)
                defer { member.leave() }
                guard joins[index] else { return }
                let feed = member.join(plans[index])
                var count = 0
                try feed?.read(plans[index].decoding.schedule.entries.indices) { _, place in
                    #expect(place == count)
                    count += 1
                }
                counts.withLock { $0[index] = feed == nil ? .some(nil) : count }
            }
        }
        let known = Mutex(0)
        decoding.run(try InputFile(clip), CancellationFlag()) { plans in known.withLock { $0 = plans.count } }
        for thread in threads { try thread.wait() }
        let joined = joins.count { $0 }
        #expect(known.withLock(\.self) == joined)
        for (index, count) in counts.withLock(\.self) {
            #expect(count == (joined > 1 ? plans[index].decoding.schedule.entries.count : nil))
        }
        #expect(counts.withLock(\.count) == joined)
    }
}
