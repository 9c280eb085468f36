import Bytes
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// The records of the jobs of a batch, in the order of the jobs. Each is read from the journal when it is asked for, because those
/// of a million jobs would need gigabytes of memory.
public struct JobRecords: RandomAccessCollection, Sendable {
    private let jobs: [Job]
    /// Where the lines of the jobs are; -1 for a job that was not started, or whose record is in `others`. Empty if all are.
    private let places: [Int]
    /// Records that the journal does not have, by the numbers of the jobs.
    private let others: [Int: JobRecord]
    private let lines: InputFile?

    init(pending jobs: [Job]) {
        (self.jobs, places, others, lines) = (jobs, [], [:], nil)
    }

    init(of jobs: [Job], at places: [Int], in lines: InputFile, others: [Int: JobRecord]) {
        (self.jobs, self.places, self.lines, self.others) = (jobs, places, lines, others)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of jobs.
    public var endIndex: Int { jobs.count }

    /// The record of a job. If another program has changed its line of the journal meanwhile, the record says so as its error.
    public subscript(index: Int) -> JobRecord {
        let id = jobs[index].id
        if let other = others[index] { return other }
        guard !places.isEmpty, places[index] >= 0, let lines else { return JobRecord(id, .pending) }
        guard let record = RecordFile.record(in: lines, at: places[index]), record.id == id else {
            return JobRecord(lost: id, lines.path)
        }
        return record
    }
}

extension JobRecord {
    /// A record in place of one whose line was changed after it had been found.
    init(lost id: String, _ file: FilePath) {
        self.init(id, .failed)
        fail(
            LivePhotoError(
                .inputOutput, file, "the line of this job was changed by another program meanwhile; try again"))
    }
}
