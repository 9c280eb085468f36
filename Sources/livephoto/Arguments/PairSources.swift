import LivePhotoKit
import LivePhotoRequests

extension PairPaths {
    /// A photo and a movie in either order, or one of them.
    ///
    /// - Parameter byIdentifierOnly: as for `init(besides:)`.
    init(arguments: [String], byIdentifierOnly: Bool = false) throws {
        let paths = [FilePath](arguments: arguments)
        switch paths.count {
        case 1: try self.init(besides: paths[0], byIdentifierOnly: byIdentifierOnly)
        case 2: try self.init(paths[0], paths[1])
        default: throw UsageError("give a photo and its movie, or one of the two")
        }
    }
}

/// The arguments of a command: one pair, or folders of pairs.
enum PairSources: Sendable {
    case pair(PairPaths)
    case folders([FilePath])

    /// - Throws: `LivePhotoError` for a file that does not exist; `UsageError` for a mixture of files and folders.
    init(_ arguments: [String]) throws {
        let paths = [FilePath](arguments: arguments)
        let folders = paths.count { (try? $0.stat().type) == .directory }
        switch (folders, paths.count) {
        case (paths.count, _): self = .folders(paths)
        case (0, 1...2): self = .pair(try PairPaths(arguments: arguments))
        default: throw UsageError("give a photo and its movie, or one of the two, or only folders")
        }
    }
}
