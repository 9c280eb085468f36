import Bytes

/// What has to be free before work begins. Without it, libdispatch and swift-subprocess trap, or wait forever and do not notice
/// signals.
package struct Reserve: Sendable {
    private let files, threads: Int

    /// Of the program without other processes: standard streams, what libdispatch keeps open, and two pairs of files with their
    /// folders; its cooperative threads, and those of blocking work.
    package static let program = Reserve(files: 16, threads: 8)
    /// Of a process of the worker: three pipes and one for the start, its descriptor, what swift-subprocess and libdispatch keep
    /// open from the first process on, and as many again for files that are opened meanwhile; its first threads, and those that
    /// wait for it here.
    package static let workerProcess = Reserve(files: 24, threads: 8)

    /// Raises the limit of open files, and saves memory and address space. To be called before the first thread starts.
    package static func prepare() {
        OpenFiles.raiseLimit()
        Heaps.keepSmall()
    }

    /// What is not free now, and what to do about it; nil if everything is.
    package var shortage: String? {
        if !OpenFiles.canOpen(files) { return OpenFiles.tooFew }
        if !AddressSpace.isEnough { return AddressSpace.tooLittle }
        return Threads.canStart(threads) ? nil : Threads.tooFew
    }
}
