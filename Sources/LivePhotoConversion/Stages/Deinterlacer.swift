import FFmpegKit
import LivePhotoKit

/// Makes whole pictures of interlaced ones with libavfilter's bwdif, one for each; pictures that are flagged as
/// progressive pass untouched.
final class Deinterlacer {
    private var graph: FilterGraph?
    /// The times of the pictures that are in the filter, which holds one back to see what comes next.
    private var times: [MediaTime] = []
    private let threads: Int

    init(threads: Int) {
        self.threads = threads
    }

    /// - Returns: the pictures that are ready, mostly the one before.
    func offer(_ picture: Frame, at time: MediaTime) throws -> [(picture: Frame, time: MediaTime)] {
        var ready: [(picture: Frame, time: MediaTime)] = []
        if graph?.accepts(picture) != true {
            ready = try finish()
            graph = try FilterGraph("bwdif=mode=send_frame:deint=interlaced", like: picture, threads: threads)
        }
        times.append(time)
        try graph?.send(picture)
        return ready + (try takeReady())
    }

    /// - Returns: what the filter still holds when no more pictures come.
    func finish() throws -> [(picture: Frame, time: MediaTime)] {
        guard let graph else { return [] }
        try graph.send(nil)
        defer {
            self.graph = nil
            times = []
        }
        return try takeReady()
    }

    private func takeReady() throws -> [(picture: Frame, time: MediaTime)] {
        var ready: [(picture: Frame, time: MediaTime)] = []
        while !times.isEmpty, let picture = try graph?.receive() {
            ready.append((picture, times.removeFirst()))
        }
        return ready
    }
}
