import LivePhotoKit
import LivePhotoRequests

/// Output of --dry-run. It ends with the error that would end a real run.
enum DryRun {
    /// Prints what would be made, also if a file exists already: --force or another name is enough then.
    static func show(_ plan: () throws -> String, checking check: () throws -> Void) throws {
        do {
            try check()
        } catch let error as LivePhotoError where error.code == .outputExists {
            try Terminal.print(plan())
            throw error
        }
        try Terminal.print(plan())
    }

    /// Prints the files of a pair that would be linked or unlinked.
    ///
    /// - Parameters:
    ///   - plan: the output, from the paths of the files that would be written.
    ///   - check: checks a pair for a destination and returns these paths.
    static func show(
        to place: LivePhotoLinker.Destination,
        _ plan: ([FilePath]) throws -> String = { $0.map(\.string).joined(separator: "\n") },
        checking check: (LivePhotoLinker.Destination) throws -> [FilePath]
    ) throws {
        guard case .directory(let directory, _) = place else { return try Terminal.print(plan(check(place))) }
        let files = try check(.directory(directory, replacesExisting: true))
        try show {
            try plan(files)
        } checking: {
            _ = try check(place)
        }
    }
}
