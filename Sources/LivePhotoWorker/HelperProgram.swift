import LivePhotoKit
import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LivePhotoError.Code {
    /// A program that this one starts does not exist, or is of another version.
    package static let missingWorker = missingLibrary.refined("worker")
}

/// A program that this one starts, which is installed with it.
struct HelperProgram: Sendable {
    /// Decodes and encodes.
    static let media = HelperProgram(name: "livephoto-media", purpose: "nothing can be decoded without it")
    /// Serves files to other devices.
    static let server = HelperProgram(name: "livephoto-server", purpose: "nothing can be shared without it")

    private let name: FilePath.Component
    private let purpose: String

    func find() throws(LivePhotoError) -> FilePath {
        guard let folder = Self.ownFolder else {
            throw LivePhotoError(
                .internalError, nil, "cannot determine the path of this program; call it by its full path")
        }
        let places = [
            folder.removingLastComponent().appending("libexec").appending("livephoto").appending(name),
            folder.appending(name),
        ]
        guard let found = places.first(where: Self.isExecutable) else {
            throw LivePhotoError(
                .missingWorker, places[0],
                "does not exist (nor does \(places[1])), and \(purpose); reinstall livephoto")
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
