package import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the system reports about this process.
package enum CurrentProcess {
    /// Number of processor cores available to it.
    package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Its environment variables.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The name of the machine that runs it.
    package static var hostName: String { ProcessInfo.processInfo.hostName }

    /// The system's folder for temporary files: `TMPDIR`, or /tmp.
    package static var temporaryFolder: FilePath { FilePath(FileManager.default.temporaryDirectory.path) }

    /// Its working directory.
    package static var folder: FilePath { FilePath(FileManager.default.currentDirectoryPath) }
}
