import Bytes
import LivePhotoKit
import SystemPackage

/// The files in an output folder that jobs have made in earlier runs.
struct EarlierResults {
    /// The output folder.
    private let root: FilePath
    private lazy var journaled = JournaledResults(root)
    /// Where folders are below the output folder; nil for other folders.
    private var folders: [FilePath: FilePath?] = [:]

    init(in root: FilePath) { self.root = root }

    /// The hash of the id of the job that has made a file; nil for any other file. Journals are read once a file is in the
    /// output folder or below it.
    mutating func maker(of file: FilePath) -> Int? {
        guard let name = file.lastComponent, let folder = place(of: file.removingLastComponent()) else { return nil }
        return journaled.paths[folder.appending(name).hashValue] ?? makerOfUnfinished(file)
    }

    /// That of a file of a pair of which it is not recorded that it was completed.
    private mutating func makerOfUnfinished(_ file: FilePath) -> Int? {
        guard !journaled.started.isEmpty, let inspection = try? LivePhotoInspector().inspect(file) else { return nil }
        return inspection.contentIdentifier.flatMap { journaled.started[$0] }
    }

    private mutating func place(of folder: FilePath) -> FilePath? {
        if let known = folders[folder] { return known }
        let found = FileIdentity(root, followingLink: true).flatMap { folder.path(below: $0) }
        folders[folder] = found
        return found
    }
}

/// What the journals of a batch name as made, with the hashes of the jobs' ids: a batch may have made millions.
private struct JournaledResults {
    /// By the hashes of paths below the output folder.
    private(set) var paths: [Int: Int] = [:]
    /// By the content identifiers of pairs that were begun and perhaps published before the run was killed.
    private(set) var started: [String: Int] = [:]

    init(_ root: FilePath) {
        var done: Set<String> = []
        for entry in BatchFolder.journals(in: root) {
            // A journal that cannot be read is an error of the run.
            guard let file = try? entry.open() else { continue }
            _ = try? RecordFile(file) { record in
                let id = record.id.hashValue
                for output in [record.photo, record.movie].compactMap(\.self) {
                    paths[FilePath(output.path).hashValue] = id
                }
                guard let identifier = record.contentIdentifier else { return }
                if record.photo != nil { done.insert(identifier) } else { started[identifier] = id }
            }
        }
        for identifier in done { started[identifier] = nil }
    }
}

extension FilePath {
    /// The path of a folder below another one; empty for that itself, nil if it is elsewhere.
    fileprivate func path(below root: FileIdentity) -> FilePath? {
        var (parent, names) = (self, [Component]())
        while FileIdentity(parent.orCurrentFolder, followingLink: true) != root {
            guard let name = parent.lastComponent, name.kind == .regular else { return nil }
            names.append(name)
            parent.removeLastComponent()
        }
        return FilePath(root: nil, names.reversed())
    }
}
