import Bytes
import LivePhotoKit
import Synchronization
import SystemPackage

/// The journals in a batch's folder that other runs write: those of other shards, or of another number of shards, in which a
/// job was in another part. They are read once, when a job has existing files at its target that this run's journal does not
/// explain.
final class OtherJournals: Sendable {
    private let folder: FilePath
    private let own: FilePath
    private let read = Mutex<[(lines: InputFile, index: RecordIndex)]?>(nil)

    /// - Parameters:
    ///   - folder: the batch's folder.
    ///   - own: the journal of this run.
    init(in folder: FilePath, besides own: FilePath) { (self.folder, self.own) = (folder, own) }

    /// All pairs that other runs have started for a job.
    func pairsStarted(for id: String) -> Set<StartedPair> {
        let places = read.withLock { journals in
            let known = journals ?? open()
            journals = known
            return known.map { ($0.lines, $0.index.offsetsOfPairs(of: id)) }
        }
        return places.reduce(into: []) { $0.formUnion(StartedPair.all(of: id, at: $1.1, in: $1.0)) }
    }

    /// Journals of other users do not count, because what they name may be replaced.
    private func open() -> [(lines: InputFile, index: RecordIndex)] {
        BatchFolder.journals(in: folder).filter { $0.path.lastComponent != own.lastComponent }.compactMap { entry in
            guard let lines = try? entry.openState(), let file = try? RecordFile(lines) else { return nil }
            return (lines, file.index)
        }
    }
}
