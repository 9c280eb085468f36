import LivePhotoConversion
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// This program itself.
enum Program {
    /// Its file, to start it again.
    ///
    /// - Throws: `LivePhotoError`
    static var path: FilePath {
        get throws(LivePhotoError) {
            // What the kernel says also holds when the program was found by way of PATH.
            if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                return FilePath(path)
            }
            guard let name = CommandLine.arguments.first, name.contains("/") else {
                throw LivePhotoError(
                    .internalFault, nil, "this program cannot find itself; call it by its whole path")
            }
            return FilePath(name)
        }
    }
}
