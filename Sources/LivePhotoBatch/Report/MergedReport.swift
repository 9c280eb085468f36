import LivePhotoKit
import MediaModel
public import SystemPackage

/// What became of a batch, brought together of reports and journals, such as those of its shards.
public struct MergedReport: Sendable {
    /// A job, and what is best known of it.
    public struct Entry: Sendable, Hashable {
        public let record: JobRecord
        /// What the paths of its photo and movie begin at.
        public let folder: FilePath
    }

    /// One for each job, in the order of their first records.
    public private(set) var entries: [Entry] = []
    /// Files that could be read in part only, each with why.
    public private(set) var unreadable: [LivePhotoError] = []
    /// The reports and journals that were read.
    private var files: [FilePath] = []
    private var indexOfID: [String: Int] = [:]

    /// If files differ about a job, the better status counts: done over failed over started over pending; of
    /// equals the later file's. Within a file the last line counts.
    ///
    /// - Parameters:
    ///   - paths: reports, journals, or folders of batches, all of whose journals are read.
    ///   - folder: what the paths of photos and movies begin at; nil takes a batch's folder, and the folder of a report.
    /// - Throws: `LivePhotoError` for what is none of these.
    public init(_ paths: [FilePath], folder: FilePath? = nil) throws(LivePhotoError) {
        for path in paths {
            guard (try? path.stat().type) == .directory else {
                try read(path, folder: folder ?? Self.folder(of: path))
                continue
            }
            let journals = BatchFolder.journals(in: path)
            guard !journals.isEmpty else {
                throw LivePhotoError(
                    .noInput, path, "no batch was made there (it has no \(BatchFolder.stateName) with a journal)")
            }
            for journal in journals { try read(journal, folder: folder ?? path) }
        }
    }

    /// - Parameter parts: records, each of another job, with what their paths begin at.
    package init(merging parts: [(records: [JobRecord], folder: FilePath)]) {
        for part in parts { merge(part.records, folder: part.folder) }
    }

    /// Finds out before any work whether a page or table can go there.
    ///
    /// - Throws: `LivePhotoError`
    public func check(_ path: FilePath, replacesExisting: Bool) throws(LivePhotoError) {
        try Publisher.check([path], inputs: files, replacing: replacesExisting)
    }

    private mutating func read(_ path: FilePath, folder: FilePath) throws(LivePhotoError) {
        var file: RecordFile
        do {
            file = try RecordFile(path)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
        // A report that was edited may end without its last line's end; a journal's last line may still be growing.
        _ = file.take(file.unfinished)
        guard !file.records.isEmpty || file.spoiltLines == 0 && file.unfinished.isEmpty else {
            throw LivePhotoError(.unusableMedia, path, "is no report and no journal of a batch")
        }
        if file.spoiltLines > 0 {
            let lines = counted(file.spoiltLines, "line is", plural: "lines are")
            unreadable.append(LivePhotoError(.unusableMedia, path, "\(lines) no record of a job, and passed over"))
        }
        files.append(path)
        merge(file.records, folder: folder)
    }

    private mutating func merge(_ records: [JobRecord], folder: FilePath) {
        for record in records {
            let entry = Entry(record: record, folder: folder)
            guard let index = indexOfID[record.id] else {
                indexOfID[record.id] = entries.count
                entries.append(entry)
                continue
            }
            if record.status.certainty >= entries[index].record.status.certainty { entries[index] = entry }
        }
    }

    private static func folder(of path: FilePath) -> FilePath {
        let folder = path.folder
        return folder.lastComponent?.string == BatchFolder.stateName ? folder.folder : folder
    }
}

extension JobRecord.Status {
    /// Of two records of a job, the one of higher rank counts.
    fileprivate var certainty: Int {
        switch self {
        case .pending: 0
        case .started: 1
        case .failed: 2
        case .done: 3
        }
    }
}

extension MergedReport.Entry {
    /// Where the key photo is.
    ///
    /// - Throws: `LivePhotoError` for a path that leads elsewhere than into the batch's folder.
    func photo() throws(LivePhotoError) -> FilePath {
        guard let photo = record.photo else { throw LivePhotoError(.noInput, nil, "the report names no photo") }
        guard let path = folder.lexicallyResolving(FilePath(photo.path)) else {
            throw LivePhotoError(.noInput, FilePath(photo.path), "is not inside the batch's folder")
        }
        return path
    }
}
