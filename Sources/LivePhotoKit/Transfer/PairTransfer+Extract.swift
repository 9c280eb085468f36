public import SystemPackage

extension PairTransfer {
    /// Extracts the pairs from containers and links them as Live Photos with the containers' still times. Nothing is
    /// encoded. If the output folder already has the same pair, nothing is written.
    ///
    /// - Parameters:
    ///   - paths: Containers of pairs, and folders, which are searched for bundles, archives and photos with a movie. Pairs
    ///     found in folders go to the same subfolders of `directory`.
    ///   - name: The name of both files without extension, if there is only one pair; nil for the container's.
    ///   - directory: The output folder, created if missing.
    ///   - progress: Called after each folder that was listed, each file that was searched and each pair.
    ///   - report: Called with each outcome, in order.
    /// - Throws: `CancellationError`, when incomplete pairs are removed; errors of `report`.
    public func extract(
        _ paths: [FilePath], name: String? = nil, to directory: FilePath, progress: (Progress) -> Void = { _ in },
        report: (Outcome) throws -> Void
    ) async throws {
        let (sources, unreadable) = try await Self.sources(paths, to: directory) {
            progress(Progress(stage: .searching, done: 0, total: $0))
        }
        var jobs: [Job] = unreadable.map { error in { .failed(error) } }
        var claims = Claims()
        var searched = 0
        try await concurrentForEach(sources, width: width, work: { ($0, $0.target(name: name)) }) { source, target in
            searched += 1
            progress(Progress(stage: .searching, done: searched, total: sources.count))
            do throws(LivePhotoError) {
                if let target = try target.get() {
                    try claims.claim(target, for: source.name)
                    jobs.append { outcome(of: source, name: name) }
                } else {
                    jobs.append { Outcome(state: .passedOver, container: source.path, photo: nil, movie: nil) }
                }
            } catch {
                jobs.append { .failed(error, container: source.path) }
            }
        }
        try await run(jobs, progress: progress, report: report)
    }

    private static func sources(
        _ paths: [FilePath], to directory: FilePath, onFolder: (Int) -> Void
    ) async throws(CancellationError) -> (sources: [Source], unreadable: [LivePhotoError]) {
        var sources: [Source] = []
        var unreadable: [LivePhotoError] = []
        for path in paths {
            guard path.isFolderOfFiles else {
                sources += Source.all(in: path, directory, isNamed: true)
                continue
            }
            let tree = try await FileTree(
                below: [path], without: directory, seeksContainers: true,
                onFolder: { onFolder(sources.count + $0.containers.count) })
            sources += tree.containers.flatMap {
                Source.all(in: $0, tree.folder(of: $0, in: directory), isNamed: false)
            }
            unreadable += tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
        }
        return (sources, unreadable)
    }

    private func outcome(of source: Source, name: String?) -> Outcome {
        var target: PublishTarget?
        do throws(LivePhotoError) {
            let copy = try LivePhotoCopy(source.container(), name: name, to: source.directory)
            target = copy.target
            func outcome(_ state: Outcome.State) -> Outcome {
                var outcome = Outcome(
                    state: state, container: source.path, photo: copy.target.photo,
                    movie: copy.target.movie)
                outcome.notes = copy.notes
                return outcome
            }
            if !isDryRun { Publisher.removeLeftoversOnce(in: copy.target.directory) }
            if copy.isPresent { return outcome(.present) }
            if isDryRun {
                try copy.check(replacing: replacesExisting)
                return outcome(.planned)
            }
            try copy.write(replacing: replacesExisting)
            return outcome(.made)
        } catch {
            return .failed(error, container: source.path, photo: target?.photo, movie: target?.movie)
        }
    }
}

/// A file or folder that may contain a pair, and the output folder.
private struct Source: Sendable {
    let path: FilePath
    let directory: FilePath
    /// Whether the caller named it; false if it was found in a folder.
    let isNamed: Bool
    /// One of several in an archive.
    var bundle: PairContainer.Bundle?

    static func all(in path: FilePath, _ directory: FilePath, isNamed: Bool) -> [Source] {
        let one = Source(path: path, directory: directory, isNamed: isNamed)
        let bundles = PairContainer.bundles(in: path)
        return bundles.isEmpty
            ? [one]
            : bundles.map { Source(path: path, directory: directory, isNamed: true, bundle: $0) }
    }

    /// The path, for errors also in an archive.
    var name: FilePath { bundle.map { path.appending($0.name) } ?? path }

    func container() throws(LivePhotoError) -> PairContainer {
        if let bundle { return try PairContainer(path, bundle: bundle) }
        return try PairContainer(path)
    }

    /// The path of both output files, without extension; nil if this is not a pair.
    func target(name: String?) -> Result<FilePath?, LivePhotoError> {
        Result { () throws(LivePhotoError) in
            let container = try isNamed ? container() : PairContainer(ifPairIn: path)
            return container.map { container in
                name.map { directory.appending($0) } ?? directory.appending(container.pairName)
            }
        }
    }
}
