import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// What can be done with the folders that the studio was opened with: link the photos and movies in them, or import them.
struct FolderWork: Sendable {
    struct Pair: Encodable, Sendable {
        let photo: String
        let movie: String
    }

    struct LinkPlan: Encodable, Sendable {
        var pairs: [Pair] = []
        /// What is left alone, each one sentence.
        var doubts: [String] = []
        let command: String
    }

    struct ImportPlan: Encodable, Sendable {
        let text: String
        let command: String
    }

    let folders: [FilePath]
    /// As it was written.
    let output: FilePath
    let engine: MediaEngine
    let jobs: JobList
    let items: ItemList

    /// Lines of a plan.
    private static let mostLines = 500
    private static let width = 2

    private func linker(isDryRun: Bool) -> FolderLinker {
        var linker = FolderLinker(isDryRun: isDryRun, chooseStill: engine.stillChooser())
        linker.identify = FolderLinker.byContents
        return linker
    }

    private var linkCommand: String {
        folders.map { folder in
            var command = CommandText("link")
            command.add("by-name", folder.string)
            command.add("in-place", if: true)
            return command.text
        }.joined(separator: "\n")
    }

    /// The photos and movies that are no Live Photos yet. Movies are decoded if nothing else shows the still time.
    func linkPlan() async throws -> LinkPlan {
        var plan = LinkPlan(command: linkCommand)
        for folder in folders {
            try await linker(isDryRun: true).link(below: folder, to: .inPlace, width: Self.width) { outcome in
                let names = outcome.files.map { printable($0.relative(to: folder).string) }
                guard plan.pairs.count + plan.doubts.count < Self.mostLines else { return }
                switch outcome.status {
                case .linkable where names.count == 2:
                    plan.pairs.append(Pair(photo: names[0], movie: names[1]))
                case .leftAlone(let reason), .notAlike(let reason):
                    plan.doubts.append("\(names.joined(separator: " + ")): \(reason)")
                case .failed(let error): plan.doubts.append("\(error)")
                case .linkable, .linked, .linkedAlready, .copy, .converted, .convertible: break
                }
            }
        }
        return plan
    }

    /// Makes Live Photos of the files themselves, which can be undone.
    ///
    /// - Returns: the number of the job.
    func link() async throws -> Int {
        try jobs.start(
            .link, folders.map { "\($0)" }.joined(separator: ", "), parts: folders.map { StudioJob.Part(name: "\($0)") }
        ) {
            job in
            var linked = 0
            do {
                for (index, folder) in folders.enumerated() {
                    job.begin(index)
                    try await linker(isDryRun: false).link(below: folder, to: .inPlace) { progress in
                        guard progress.stage == .linking else { return }
                        job.show(index, fraction: Double(progress.done) / Double(max(progress.total, 1)))
                    } onOutcome: { outcome in
                        switch outcome.status {
                        case .linked(let made, _):
                            linked += 1
                            job.allowUndo(of: made.livePhoto.photo)
                        case .failed(let error): job.note(["\(error)"])
                        case .linkable, .linkedAlready, .copy, .converted, .convertible, .leftAlone, .notAlike: break
                        }
                    }
                    job.end(index, result: nil)
                }
            } catch {
                // What is linked stays so, and can be undone.
                job.note(["\(counted(linked, "Live Photo")) linked"])
                await items.search()
                throw error
            }
            job.note(["\(counted(linked, "Live Photo")) linked"])
            await items.search()
        }
    }

    /// What an import of the folders into a library would do.
    func importPlan() async throws -> ImportPlan {
        let place = output.appending("Library")
        var text = CommandText("import")
        for folder in folders { text.add(folder) }
        text.add(output: place)
        let command = text.text
        guard let tree = DateFolders("%Y/%m") else { return ImportPlan(text: "", command: command) }
        var library = LibraryImport(folders: tree, chooseStill: engine.stillChooser())
        (library.isDryRun, library.width, library.encoder) = (true, Self.width, engine)
        var lines: [String] = []
        var (livePhotos, files, copies, failures) = (0, 0, 0, 0)
        try await library.run(folders, to: place) { _ in
        } onOutcome: { outcome in
            switch outcome.status {
            case .planned(.file): files += 1
            case .planned, .made: livePhotos += 1
            case .copy: copies += 1
            case .failed: failures += 1
            case .present, .leftOut: break
            }
            guard lines.count < Self.mostLines else { return }
            let names = outcome.sources.map { "\($0.lastComponent?.string ?? "")" }.joined(separator: " + ")
            let places = outcome.files.map { "\($0)" }.joined(separator: " + ")
            switch outcome.status {
            case .planned: lines.append("\(names) → \(places)")
            case .copy(let other): lines.append("\(names): equal to \(other)")
            case .failed(let error): lines.append("\(error)")
            case .made, .present, .leftOut: break
            }
        }
        let sums =
            "\(counted(livePhotos, "Live Photo")) and \(counted(files, "other file")); "
            + "\(counted(copies, "copy", plural: "copies")) left out, \(counted(failures, "failure"))"
        return ImportPlan(text: ([sums] + lines).joined(separator: "\n"), command: command)
    }
}
