import Bytes
import LivePhotoKit
import MediaModel
public import SystemPackage

/// The results of a batch, merged from reports and journals, such as those of its shards.
public struct MergedReport: Sendable {
    /// The best record of a job.
    public struct Entry: Sendable, Hashable {
        /// What the report or journal says about the job.
        public let record: JobRecord
        /// The base of the relative paths of its photo and movie.
        public let folder: FilePath
    }

    /// One for each job, in the order of their first records.
    public private(set) var entries = Entries()
    /// For each file with invalid lines, how many there are.
    public private(set) var unreadable: [LivePhotoError] = []
    /// How many jobs have a record, but are not among those to report.
    public private(set) var otherJobs = 0
    /// The output folder, as an absolute path; nil if none or several were read.
    public private(set) var folder: FilePath?
    /// The reports and journals that were read.
    private var files: [FilePath] = []
    /// The numbers of the entries by the hashes of their ids, while files are merged.
    private var numbers: [Int: Int32] = [:]

    /// Merges reports. Of several records of a job in one file, the last counts; of different files, the one with the best
    /// status (done, failed, started, pending), and among equals that of the last file.
    ///
    /// - Parameters:
    ///   - paths: reports, journals, or output folders of batches, whose journals are read.
    ///   - folder: the base of the paths of photos and movies; by default the batch's folder, or that of the report.
    ///   - jobs: those to report, in this order, also those without a record, which are pending; nil for all that have one.
    ///   - progress: called after each record with the number of records so far.
    /// - Throws: `LivePhotoError` for any other file.
    public init(
        _ paths: [FilePath], folder: FilePath? = nil, jobs: [Job]? = nil, progress: (Int) -> Void = { _ in }
    ) throws(LivePhotoError) {
        if paths.count == 1, (try? paths[0].stat().type) == .directory {
            self.folder = CurrentProcess.folder.pushing(paths[0]).lexicallyNormalized()
        }
        var records = 0
        try read(paths, folder: folder) {
            records += 1
            progress(records)
        }
        if let jobs { keep(jobs, folder: folder ?? paths.first ?? "") }
        numbers = [:]
    }

    private mutating func read(
        _ paths: [FilePath], folder: FilePath?, onRecord: () -> Void
    ) throws(LivePhotoError) {
        for path in paths {
            guard (try? path.stat().type) == .directory else {
                try read(ReportSource(path, folder: folder ?? Self.folder(of: path)) { try InputFile(path) }, onRecord)
                continue
            }
            let journals = BatchFolder.journals(in: path)
            guard !journals.isEmpty else {
                throw LivePhotoError(
                    .noInput, path,
                    "is not the output folder of a batch (it has no \(BatchFolder.stateName) with a journal)")
            }
            for journal in journals {
                try read(ReportSource(journal.path, folder: folder ?? path) { try journal.open() }, onRecord)
            }
        }
    }

    /// Whether a file is a report or a journal, as far as its first megabyte shows. An empty one is.
    public static func isReport(_ path: FilePath) -> Bool {
        guard let file = try? InputFile(path),
            let head = try? file.bytes(at: 0, count: min(file.size, 1 << 20))
        else { return false }
        return head.isEmpty
            || head.split(separator: UInt8(ascii: "\n")).contains {
                (try? JSON.decode(JobRecord.self, from: $0)) != nil
            }
    }

    /// Whether a folder is the output folder of a batch that has begun.
    public static func isBatch(_ folder: FilePath) -> Bool { !BatchFolder.journals(in: folder).isEmpty }

    /// - Parameter parts: the records of each file, and the base of their paths.
    package init(merging parts: [(records: [JobRecord], folder: FilePath)]) {
        for part in parts {
            let source = entries.add(ReportSource(part.records, folder: part.folder))
            for (place, record) in part.records.enumerated() {
                merge(record.id.hashValue, Entries.Slot(record.status, source: source, place: place))
            }
        }
        numbers = [:]
    }

    /// Checks before any work that a page or table can be written.
    ///
    /// - Throws: `LivePhotoError`
    public func check(_ path: FilePath, replacesExisting: Bool) throws(LivePhotoError) {
        try StagedFile.check(path, inputs: files, replacing: replacesExisting)
    }

    private mutating func read(_ source: ReportSource, _ onRecord: () -> Void) throws(LivePhotoError) {
        let path = source.path
        var file: RecordFile
        do {
            file = try RecordFile(source.opened()) { _ in onRecord() }
            // The last line of an edited report may lack its line end; that of a journal may still be incomplete.
            _ = try file.addUnfinished()
        } catch is CancellationError {
            throw LivePhotoError(.cancelled, nil, "the report was stopped")
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: path, error)
        }
        guard !file.index.entries.isEmpty || file.invalidLines == 0 && file.unfinished.isEmpty else {
            throw LivePhotoError(.unusableMedia, path, "is not a report or journal of a batch")
        }
        if file.invalidLines > 0 {
            let lines = counted(file.invalidLines, "line is", plural: "lines are")
            unreadable.append(LivePhotoError(.unusableMedia, path, "\(lines) not a job record and skipped"))
        }
        files.append(path)
        let number = entries.add(source)
        for entry in file.index.entries {
            merge(entry.id, Entries.Slot(entry.status, source: number, place: entry.offset))
        }
    }

    private mutating func merge(_ id: Int, _ slot: Entries.Slot) {
        guard let number = numbers[id].map(Int.init) else {
            numbers[id] = Int32(entries.count)
            return entries.append(slot)
        }
        if slot.status.rank >= entries.status(of: number).rank { entries.replace(number, by: slot) }
    }

    private mutating func keep(_ jobs: [Job], folder: FilePath) {
        otherJobs = entries.keep(jobs, folder: folder) { numbers[$0.hashValue].map(Int.init) }
    }

    private static func folder(of path: FilePath) -> FilePath {
        let folder = path.folder
        return folder.lastComponent == BatchFolder.stateName ? folder.folder : folder
    }
}

extension JobRecord.Status {
    /// Of two records of a job, the one of higher rank counts.
    fileprivate var rank: Int {
        switch self {
        case .pending: 0
        case .started: 1
        case .failed: 2
        case .done: 3
        }
    }
}

extension MergedReport.Entry {
    /// The path of the key photo; an error without one, and for a path outside the batch's folder.
    var photo: Result<FilePath, LivePhotoError> {
        guard let photo = record.photo else {
            return .failure(LivePhotoError(.noInput, nil, "the report names no photo"))
        }
        guard let path = path(of: photo) else {
            return .failure(LivePhotoError(.noInput, FilePath(photo.path), "is not inside the batch's folder"))
        }
        return .success(path)
    }

    /// The path of an output; nil without one, and for a path outside the batch's folder.
    func path(of output: JobRecord.Output?) -> FilePath? {
        output.flatMap { folder.lexicallyResolving(FilePath($0.path)) }
    }
}
