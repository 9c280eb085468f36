import FFmpegKit
import LivePhotoKit

/// Deinterlaces pictures with libavfilter's bwdif, without changing their number. Pictures that are flagged as
/// progressive are not changed.
final class Deinterlacer {
    private var graph: FilterGraph?
    /// The times of the pictures in the filter, which needs the next picture before it outputs one.
    private var times: [MediaTime] = []
    private let threads: Int

    init(threads: Int) {
        self.threads = threads
    }

    /// - Returns: the finished pictures, usually the previous one.
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

    /// - Returns: the remaining pictures.
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
