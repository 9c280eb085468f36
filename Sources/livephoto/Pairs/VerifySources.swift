import LivePhotoKit
import LivePhotoRequests

/// The arguments of verify.
enum VerifySources: Sendable {
    /// One pair, or photos, each of which is a motion photo or one of a pair.
    case files([File])
    case folders([FilePath])

    enum File: Sendable {
        case pair(PairPaths)
        case motionPhoto(FilePath)
        /// One of several photos is neither, for this reason.
        case unpaired(LivePhotoError)
    }

    /// - Throws: `LivePhotoError` for a file that does not exist, or a single one that is neither a motion photo nor one of a
    ///   pair; `UsageError` for another mixture.
    init(_ arguments: [String]) throws {
        let paths = [FilePath](arguments: arguments)
        let hasFolders = paths.contains { (try? $0.stat().type) == .directory }
        guard !hasFolders, try paths.allSatisfy(PairPaths.isPhoto) else {
            switch try PairSources(arguments) {
            case .pair(let pair): self = .files([.pair(pair)])
            case .folders(let folders): self = .folders(folders)
            }
            return
        }
        self = .files(
            try paths.map { path in
                if PairPaths.isMotionPhoto(path) { return .motionPhoto(path) }
                do throws(LivePhotoError) {
                    return .pair(try PairPaths(besides: path))
                } catch {
                    guard paths.count > 1 else { throw error }
                    return .unpaired(error)
                }
            })
    }
}
