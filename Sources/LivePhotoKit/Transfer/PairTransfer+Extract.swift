public import SystemPackage

extension PairTransfer {
    /// Takes the pairs out of containers, links them as Live Photos at the moments that the containers name, and puts them
    /// into folders. Nothing is encoded. Where the very pair that would be written stands already, nothing is.
    ///
    /// - Parameters:
    ///   - paths: containers, which are to hold a pair, and folders: below them all bundles, archives and photos with a
    ///     movie are found, and their pairs go to the same places below `directory`.
    ///   - name: of both files of the pair, where there is only one.
    ///   - progress: called now and then.
    ///   - report: called with each outcome, in order.
    /// - Throws: `CancellationError`, once of the pairs that were begun nothing is left but those that are done and told;
    ///   what `report` throws.
    public func extract(
        _ paths: [FilePath], name: String? = nil, to directory: FilePath, progress: (Progress) -> Void = { _ in },
        report: (Outcome) throws -> Void
    ) async throws {
        let (sources, unreadable) = Self.sources(paths, to: directory)
        var jobs: [ExtractionJob] = []
        var claims = Claims()
        for error in unreadable { jobs.append(.settled(.failed(error))) }
        var looked = 0
        try await concurrentForEach(sources, width: width, work: { $0.look(name: name) }) { job in
            looked += 1
            progress(Progress(stage: .searching, done: looked, total: sources.count))
            jobs.append(job.claiming(&claims))
        }
        try await transfer(jobs, progress: progress, report: report) { job in
            switch job {
            case .settled(let outcome): outcome
            case .pair(let source, _): outcome(of: source, name: name)
            }
        }
    }

    private static func sources(
        _ paths: [FilePath], to directory: FilePath
    ) -> (sources: [Source], unreadable: [LivePhotoError]) {
        var sources: [Source] = []
        var unreadable: [LivePhotoError] = []
        for path in paths {
            guard path.isFolderOfFiles else {
                sources.append(Source(path: path, directory: directory, isNamed: true))
                continue
            }
            let tree = FileTree(below: [path], without: directory, seeksContainers: true)
            sources += tree.containers.map {
                Source(path: $0, directory: tree.folder(of: $0, in: directory), isNamed: false)
            }
            unreadable += tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
        }
        return (sources, unreadable)
    }

    private func outcome(of source: Source, name: String?) -> Outcome {
        do throws(LivePhotoError) {
            let extraction = try Extraction(PairContainer(source.path), name: name, to: source.directory)
            func outcome(_ state: Outcome.State) -> Outcome {
                Outcome(
                    state: state, container: source.path, photo: extraction.target.photo,
                    movie: extraction.target.movie)
            }
            if extraction.standing() != nil { return outcome(.present) }
            if isDryRun {
                try extraction.check(replacing: replacesExisting)
                return outcome(.planned)
            }
            _ = try extraction.write(replacing: replacesExisting)
            return outcome(.made)
        } catch {
            return .failed(error, container: source.path)
        }
    }
}

/// What may hold a pair, and where that goes.
private struct Source: Sendable {
    let path: FilePath
    let directory: FilePath
    /// By a person, and not found in a folder.
    let isNamed: Bool

    func look(name: String?) -> ExtractionJob {
        do throws(LivePhotoError) {
            let container = try isNamed ? PairContainer(path) : PairContainer(ifPairIn: path)
            guard let container else {
                return .settled(.init(state: .passedOver, container: path, photo: nil, movie: nil))
            }
            return .pair(self, target: directory.appending(name ?? container.pairName))
        } catch {
            return .settled(.failed(error, container: path))
        }
    }
}

private enum ExtractionJob: Sendable {
    case settled(PairTransfer.Outcome)
    /// - Parameter target: of both files, without extension.
    case pair(Source, target: FilePath)

    func claiming(_ claims: inout PairTransfer.Claims) -> Self {
        guard case .pair(let source, let target) = self else { return self }
        do throws(LivePhotoError) {
            try claims.claim(target, for: source.path)
            return self
        } catch {
            return .settled(.failed(error, container: source.path))
        }
    }
}
