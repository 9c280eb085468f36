import LivePhotoBatch

/// Shows the search for clips in folders, which has no JSON lines.
struct ClipSearchDisplay: Sendable {
    private let display: ProgressDisplay

    init(_ form: ProgressForm) {
        display = ProgressDisplay("searching", form == .json ? .none : form)
    }

    func show(_ progress: FolderClips.Progress) {
        switch progress {
        case .listing(let folders): display.show(found: folders, "folder")
        case .reading(let done, let total): display.show(done, of: total, "file")
        }
    }

    func clear() { display.clear() }
}
