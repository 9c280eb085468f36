import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where `livephoto-media` is.
enum WorkerProgram {
    private static let name: FilePath.Component = "livephoto-media"

    static func find() throws(LivePhotoError) -> FilePath {
        guard let folder = ownFolder else {
            throw LivePhotoError(
                .internalFault, nil, "this program cannot find itself; call it by its whole path")
        }
        let places = [
            folder.removingLastComponent().appending("libexec").appending("livephoto").appending(name),
            folder.appending(name),
        ]
        guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0.string) }) else {
            throw LivePhotoError(
                .missingLibrary, places[0],
                "is not there (nor is \(places[1])), and nothing can be decoded without it; reinstall livephoto")
        }
        return found
    }

    /// The folder of this program's file, without symbolic links.
    private static var ownFolder: FilePath? {
        // The kernel's answer is right also if the program was found through PATH.
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            return FilePath(path).removingLastComponent()
        }
        guard let name = CommandLine.arguments.first, name.contains("/") else { return nil }
        return FilePath(URL(fileURLWithPath: name).resolvingSymlinksInPath().path).removingLastComponent()
    }
}
