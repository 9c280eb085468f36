import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// Runs `undo`, and prints a line for each file.
struct UndoRun: Sendable {
    /// Those whose changes are undone.
    let commands: [InPlaceUndo.Command]
    /// Folders, and files of pairs.
    let paths: [FilePath]
    let isDryRun: Bool
    let json: Bool
    let progress: ProgressOptions

    /// - Returns: whether every file has its original content.
    /// - Throws: `Cancelled` if the task was cancelled; the error of a single path.
    func run() async throws -> Bool {
        var counts = Counts()
        for path in paths {
            do throws(LivePhotoError) {
                for outcome in try await undo(path) { try count(outcome, &counts) }
            } catch {
                if error.code == .cancelled {
                    throw Cancelled(note: "livephoto undo \(path) restores the remaining files")
                }
                guard paths.count > 1 else { throw error }
                counts.hasError = true
                Terminal.say(Failure.sentence(error, ofSeveral: true))
            }
        }
        var parts = ["\(counted(counts.restored, "file")) \(isDryRun ? "would be restored" : "restored")"]
        if counts.unchanged > 0 { parts.append("\(counts.unchanged) unchanged") }
        if counts.refused > 0 {
            parts.append("\(counts.refused) not restored; the journal still has the information to undo them")
        }
        progress.say(parts.joined(separator: ", "))
        return counts.refused == 0 && !counts.hasError
    }

    private struct Counts {
        var (restored, unchanged, refused) = (0, 0, 0)
        var hasError = false
    }

    /// Undoes the changes of all commands. What is refused may be older than what another command has changed, so each is asked
    /// again until nothing more is restored.
    private func undo(_ path: FilePath) async throws(LivePhotoError) -> [InPlaceUndo.Outcome] {
        var outcomes: [FilePath: InPlaceUndo.Outcome] = [:]
        var order: [FilePath] = []
        var hasRestored: Bool
        repeat {
            hasRestored = false
            var missing = 0
            for command in commands {
                do throws(LivePhotoError) {
                    for outcome in try await undo(path, command) {
                        if outcome.status == .restored { hasRestored = true }
                        guard let old = outcomes[outcome.path] else {
                            order.append(outcome.path)
                            outcomes[outcome.path] = outcome
                            continue
                        }
                        if !Self.isSaid(outcome, after: old, isDryRun) { outcomes[outcome.path] = outcome }
                    }
                } catch {
                    // A photo that has its former name again is not found by the one that was given.
                    let isGone = !outcomes.isEmpty && (error.cause as? Errno) == .noSuchFileOrDirectory
                    guard error.code == .nothingToUndo || isGone else { throw error }
                    missing += 1
                }
            }
            if outcomes.isEmpty, missing == commands.count {
                throw LivePhotoError(
                    .nothingToUndo, path, "there is nothing to undo: nothing was changed in place there")
            }
        } while hasRestored && !isDryRun
        return order.compactMap { outcomes[$0] }
    }

    /// Whether an earlier outcome of a file says all that this one does.
    private static func isSaid(
        _ outcome: InPlaceUndo.Outcome, after old: InPlaceUndo.Outcome, _ isDryRun: Bool
    ) -> Bool {
        guard old.status == .restored else { return false }
        switch outcome.status {
        case .restored, .unchanged: return true
        // What was changed later would be undone first.
        case .refused(let error): return isDryRun && error.code == .changedLater
        }
    }

    private func undo(
        _ path: FilePath, _ command: InPlaceUndo.Command
    ) async throws(LivePhotoError) -> [InPlaceUndo.Outcome] {
        let undoing = InPlaceUndo(of: command, isDryRun: isDryRun)
        let isFolder = (try? path.stat().type) == .directory
        return isFolder
            ? try await undoing.undo(below: path, width: FolderLinkRun.changesAtOnce)
            : try await undoing.undo(pairOf: path)
    }

    private func count(_ outcome: InPlaceUndo.Outcome, _ counts: inout Counts) throws(LivePhotoError) {
        var line: String?
        switch outcome.status {
        case .restored:
            counts.restored += 1
            line = "\(outcome.path)\(isDryRun ? ": would be restored" : "")"
        case .unchanged:
            counts.unchanged += 1
            if isDryRun { line = "\(outcome.path): unchanged" }
        case .refused(let error):
            counts.refused += 1
            if !json { Terminal.say("error: \(error)") }
        }
        do {
            if json {
                Terminal.printResult(try JSON.text(UndoDocument(outcome)))
            } else if let line {
                Terminal.printResult(lines: [line])
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(.internalError, nil, "\(error)", cause: error)
        }
    }
}
