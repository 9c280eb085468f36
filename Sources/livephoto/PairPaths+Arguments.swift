import LivePhotoConversion
import LivePhotoKit

extension PairPaths {
    /// A photo and a movie in either order, or one of them.
    init(arguments: [String]) throws {
        let paths = arguments.map { FilePath($0) }
        switch paths.count {
        case 1: try self.init(besides: paths[0])
        case 2: try self.init(paths[0], paths[1])
        default: throw UsageError("give a photo and its movie, or one of the two")
        }
    }
}
