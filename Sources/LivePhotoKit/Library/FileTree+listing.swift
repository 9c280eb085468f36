import Synchronization
import SystemPackage

extension FileTree {
    /// How many photos and movies were found so far.
    final class FoundCount: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        fileprivate func add(_ files: Files) { count.add(files.all.count, ordering: .relaxed) }
    }

    /// Lists folders, and passes on photos and movies once their folders are listed and while others still are.
    ///
    /// - Parameters:
    ///   - movieKinds: Extensions of the files to list as movies.
    ///   - found: Counts what is listed.
    ///   - onFiles: Called as in `init(listing:)`.
    /// - Throws: `CancellationError` if the task was cancelled; errors of `onFiles`.
    static func listing(
        _ folders: [FilePath], movieKinds: Set<String> = movieExtensions, found: FoundCount,
        onFiles: (Files) async throws -> Void
    ) async throws -> FileTree {
        let (listed, listing) = AsyncStream<Files>.makeStream()
        async let tree = list(folders, movieKinds, found, listing)
        for await files in listed { try await onFiles(files) }
        return try await tree
    }

    private static func list(
        _ folders: [FilePath], _ movieKinds: Set<String>, _ found: FoundCount,
        _ listing: AsyncStream<Files>.Continuation
    ) async throws -> FileTree {
        defer { listing.finish() }
        return try await FileTree(
            below: folders, movieKinds: movieKinds,
            onFiles: {
                found.add($0)
                listing.yield($0)
            })
    }
}
