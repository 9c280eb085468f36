import LivePhotoRequests
import Synchronization

extension Conversion {
    /// Makes several pairs of one clip, which is decoded once for those whose movies allow it.
    ///
    /// - Parameters:
    ///   - pairs: the conversions, each with its files, which are overwritten.
    ///   - onPlans: called before the first frame is decoded for a movie.
    ///   - progress: called on another thread after each frame of a movie with the frames of all movies, one call at a time.
    /// - Returns: for each pair its plan and warnings.
    /// - Throws: the error of the first pair that cannot be made; `LivePhotoError`; `FrameProcessorError`.
    static func makeAll(
        _ pairs: [(conversion: Conversion, output: PairFiles)], onPlans: ([ConversionPlan]) -> Void,
        progress: @escaping @Sendable (ConversionProgress) -> Void
    ) throws -> [(plan: ConversionPlan, warnings: [String])] {
        guard let first = pairs.first?.conversion else { return [] }
        if pairs.count == 1 {
            return [try first.make(pairs[0].output, onPlan: { onPlans([$0]) }, progress: progress)]
        }
        let decoding = SharedDecoding(members: pairs.count)
        let results = Mutex<[Int: (plan: ConversionPlan, warnings: [String])]>([:])
        let sum = ProgressSum(members: pairs.count, progress)
        let threads = pairs.enumerated().map { index, pair in
            Result {
                try WorkerThread {
                    let member = SharedDecoding.Member(index, of: decoding)
                    defer { member.leave() }
                    let made = try pair.conversion.make(pair.output, sharing: member) {
                        sum.show(ConversionProgress(frames: 0, totalFrames: $0.frameCount), of: index)
                    } progress: {
                        sum.show($0, of: index)
                    }
                    results.withLock { $0[index] = made }
                }
            }
        }
        for (index, thread) in threads.enumerated() {
            if case .failure = thread { SharedDecoding.Member(index, of: decoding).leave() }
        }
        decoding.run(first.files.clip, first.cancellation, onPlans: onPlans)
        // All have to end before their files may go.
        let ends = threads.map { thread in Result { try thread.get().wait() } }
        for end in ends { try end.get() }
        return results.withLock { made in pairs.indices.compactMap { made[$0] } }
    }
}

/// Adds up the progress of several conversions.
private final class ProgressSum: Sendable {
    private let progress: @Sendable (ConversionProgress) -> Void
    private let members: Mutex<[ConversionProgress?]>

    init(members: Int, _ progress: @escaping @Sendable (ConversionProgress) -> Void) {
        self.members = Mutex(Array(repeating: nil, count: members))
        self.progress = progress
    }

    /// Nothing is reported until all plans are known.
    func show(_ latest: ConversionProgress, of member: Int) {
        // Within the lock, so that calls are in order.
        members.withLock { members in
            members[member] = latest
            let known = members.compactMap(\.self)
            guard known.count == members.count, known.contains(where: { $0.frames > 0 }) else { return }
            progress(
                ConversionProgress(
                    frames: known.reduce(0) { $0 + $1.frames }, totalFrames: known.reduce(0) { $0 + $1.totalFrames }))
        }
    }
}
