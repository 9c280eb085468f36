import Synchronization
import SystemPackage

/// The folders in which a run looks for sidecars. Each is listed once, because a file's sidecar may have a hundred names.
package final class SidecarFolders: Sendable {
    /// Those of the task's run; nil for a task that reads a single file or pair.
    @TaskLocal private static var current: SidecarFolders?

    private let haveSidecars = Mutex<[FilePath: Bool]>([:])

    private init() {}

    /// Does the work of one run.
    package static func withRun<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await $current.withValue(SidecarFolders(), operation: work)
    }

    /// Whether a folder may have sidecars; if it is one of a run, whether it had files of that kind when they were needed first.
    static func mayHaveSidecars(_ folder: FilePath) -> Bool {
        guard let current else { return true }
        return current.haveSidecars.withLock { known in
            if let known = known[folder] { return known }
            let names = try? FileSystem.names(in: folder.orCurrentFolder)
            let hasSome = names?.contains { $0.extension?.lowercased() == "json" } ?? true
            known[folder] = hasSome
            return hasSome
        }
    }
}
