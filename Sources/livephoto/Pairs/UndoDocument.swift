import LivePhotoKit
import LivePhotoRequests

/// Output of `undo --json` and `undo --import --json` for a file.
struct UndoDocument: Encodable {
    private let schema = 1
    private let file: String
    private let status: String
    private var reason: String?

    init(_ outcome: InPlaceUndo.Outcome) {
        file = outcome.path.string
        switch outcome.status {
        case .restored: status = "restored"
        case .unchanged: status = "unchanged"
        case .refused(let error): (status, reason) = ("refused", error.reason)
        }
    }

    init(_ outcome: ImportUndo.Outcome) {
        file = outcome.path.string
        switch outcome.status {
        case .removed: status = "removed"
        case .gone: status = "gone"
        case .refused(let error): (status, reason) = ("refused", error.reason)
        }
    }
}
