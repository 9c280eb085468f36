import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// Runs `undo`, and prints a line for each file.
struct UndoRun: Sendable {
    /// Those whose changes are undone.
    let commands: Set<InPlaceUndo.Command>
    /// Folders, and files of pairs.
    let paths: [FilePath]
    let isDryRun: Bool
    let json: Bool
    /// How many pairs are restored at a time.
    let width: Int
    let progress: ProgressOptions

    /// - Returns: whether every file has its original content.
    /// - Throws: `Cancelled` if the task was cancelled; the error of a single path.
    func run() async throws -> Bool {
        var counts = Counts()
        /// What was restored: both files of a pair are restored together.
        var restored: (files: Set<FileIdentity>, paths: [FilePath]) = ([], [])
        for path in paths {
            if let identity = FileIdentity(path) {
                if restored.files.contains(identity) { continue }
            } else if restored.paths.contains(where: {
                $0.stem == path.stem && Publisher.areSame($0.folder, path.folder)
            }) {
                // An edited photo may have had another name.
                continue
            }
            do throws(LivePhotoError) {
                for outcome in try await undo(path) {
                    if let identity = FileIdentity(outcome.path) { restored.files.insert(identity) }
                    restored.paths.append(outcome.path)
                    try count(outcome, &counts)
                }
            } catch {
                if error.code == .cancelled {
                    throw Cancelled(note: "livephoto undo \(shellWord(path.string)) restores the remaining files")
                }
                guard paths.count > 1 else { throw error }
                counts.hasError = true
                Terminal.say(error: error, ofSeveral: true)
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

    private func undo(_ path: FilePath) async throws(LivePhotoError) -> [InPlaceUndo.Outcome] {
        let undoing = InPlaceUndo(of: commands, isDryRun: isDryRun)
        let isFolder = (try? path.stat().type) == .directory
        do throws(LivePhotoError) {
            return isFolder
                ? try await undoing.undo(below: path, width: width)
                : try await undoing.undo(pairOf: path)
        } catch {
            guard error.code == .noInput, ImportUndo.isLibrary(path) else { throw error }
            throw LivePhotoError(
                .noInput, path,
                "\(error.reason); livephoto undo --import \(shellWord(path.string)) removes what was imported into it",
                cause: error)
        }
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
