package import LivePhotoKit
import Synchronization

/// Tells stages that run on threads of their own that their task was cancelled.
package final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)

    package init() {}

    package func set() { isSet.store(true, ordering: .relaxed) }

    package func check() throws(LivePhotoError) {
        if isSet.load(ordering: .relaxed) { throw LivePhotoError(.cancelled, nil, "stopped") }
    }
}
