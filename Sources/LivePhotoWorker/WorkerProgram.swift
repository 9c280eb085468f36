import LivePhotoKit
import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LivePhotoError.Code {
    /// The program `livephoto-media` does not exist, or is of another version than this one.
    package static let missingWorker = missingLibrary.refined("worker")
}

/// Finds `livephoto-media`.
enum WorkerProgram {
    private static let name: FilePath.Component = "livephoto-media"

    static func find() throws(LivePhotoError) -> FilePath {
        guard let folder = ownFolder else {
            throw LivePhotoError(
                .internalError, nil, "cannot determine the path of this program; call it by its full path")
        }
        let places = [
            folder.removingLastComponent().appending("libexec").appending("livephoto").appending(name),
            folder.appending(name),
        ]
        guard let found = places.first(where: isExecutable) else {
            throw LivePhotoError(
                .missingWorker, places[0],
                "does not exist (nor does \(places[1])), and nothing can be decoded without it; reinstall livephoto")
        }
        return found
    }

    static func isExecutable(_ path: FilePath) -> Bool { FileManager.default.isExecutableFile(atPath: path.string) }

    /// The folder of this program, with symbolic links resolved.
    private static var ownFolder: FilePath? {
        // This is correct even if the program was found through PATH.
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            return FilePath(path).removingLastComponent()
        }
        guard let name = CommandLine.arguments.first, name.contains("/") else { return nil }
        return FilePath(URL(fileURLWithPath: name).resolvingSymlinksInPath().path).removingLastComponent()
    }
}
