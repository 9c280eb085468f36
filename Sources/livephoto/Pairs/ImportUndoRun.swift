import LivePhotoKit
import LivePhotoRequests

/// Runs `undo --import`, and prints a line for each file.
struct ImportUndoRun: Sendable {
    let isDryRun: Bool
    let json: Bool
    let width: Int
    let progress: ProgressOptions

    /// - Returns: whether nothing is left of what was imported.
    /// - Throws: `Cancelled` if the task was cancelled.
    func run(_ libraries: [FilePath]) async throws -> Bool {
        var undo = ImportUndo()
        (undo.isDryRun, undo.width) = (isDryRun, width)
        var (removed, refused) = (0, 0)
        var hasError = false
        for library in libraries {
            do {
                try await undo.undo(library) { outcome in
                    switch outcome.status {
                    case .removed: removed += 1
                    case .gone: return
                    case .refused(let error):
                        refused += 1
                        if !json { Terminal.say("error: \(error)") }
                    }
                    try show(outcome)
                }
            } catch let error as LivePhotoError {
                if error.code == .cancelled {
                    let library = shellWord(library.string)
                    throw Cancelled(note: "livephoto undo --import \(library) removes the remaining files")
                }
                guard libraries.count > 1 else { throw error }
                hasError = true
                Terminal.say(error: error, ofSeveral: true)
            }
        }
        let left = refused > 0 ? ", \(refused) left" : ""
        progress.say("\(counted(removed, "file")) \(isDryRun ? "would be removed" : "removed")\(left)")
        return refused == 0 && !hasError
    }

    private func show(_ outcome: ImportUndo.Outcome) throws {
        if json { return Terminal.printResult(try JSON.text(UndoDocument(outcome))) }
        guard case .removed = outcome.status else { return }
        Terminal.printResult(lines: ["\(outcome.path)\(isDryRun ? ": would be removed" : "")"])
    }
}
