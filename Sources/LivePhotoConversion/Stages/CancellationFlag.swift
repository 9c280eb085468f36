import LivePhotoKit
import Synchronization

/// Tells stages that run on threads of their own that their task was cancelled.
final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .relaxed) }

    func check() throws(LivePhotoError) {
        if isSet.load(ordering: .relaxed) { throw LivePhotoError(.cancelled, nil, "stopped") }
    }
}
