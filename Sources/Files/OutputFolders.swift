import Synchronization
import SystemPackage

/// The folders that a run writes many files to. What is needed once for each folder is done once, so the time of a run does
/// not grow with the square of the number of files.
package final class OutputFolders: Sendable {
    /// Those of the task's run; nil for a task that writes a single file or pair.
    @TaskLocal private static var current: OutputFolders?

    private let cleaned = Mutex<Set<FilePath>>([])
    private let names = Mutex<[FilePath: [ComparedName: FilePath.Component]]>([:])

    private init() {}

    /// Does the work of one run.
    package static func withRun<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await $current.withValue(OutputFolders(), operation: work)
    }

    /// Removes what killed runs left in a folder, unless this run has done so.
    static func removeLeftovers(in folder: OutputDirectory) {
        guard let current else { return folder.removeLeftovers() }
        guard current.cleaned.withLock({ $0.insert(folder.path).inserted }) else { return }
        folder.removeLeftovers()
    }

    /// The file or folder that was in a folder when the run began to write there, and whose name is this one except for case.
    static func existingName(_ name: FilePath.Component, in folder: FilePath) -> FilePath.Component? {
        let compared = ComparedName(ignoringCaseOf: name)
        guard let current else { return listing(of: folder)[compared] }
        return current.names.withLock { names in
            let listed = names[folder] ?? listing(of: folder)
            names[folder] = listed
            return listed[compared]
        }
    }

    private static func listing(of folder: FilePath) -> [ComparedName: FilePath.Component] {
        let names = (try? FileSystem.names(in: folder)) ?? []
        return Dictionary(names.map { (ComparedName(ignoringCaseOf: $0), $0) }) { first, _ in first }
    }
}
