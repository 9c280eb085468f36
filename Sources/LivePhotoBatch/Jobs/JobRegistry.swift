import LivePhotoKit
import LivePhotoRequests
import MediaModel
import SystemPackage

/// Finds jobs of a job file that have an id, or a pair, in common. It keeps hashes, as ids and paths of a million jobs would
/// need much memory, and compares the jobs themselves where hashes are equal.
struct JobRegistry {
    /// The numbers of the last jobs by hashes of their movies and ids; those that were left out are counted from -1 down.
    private var movies: [Int: Int32] = [:]
    private var ids: [Int: Int32] = [:]
    private var leftOut: [Job] = []

    /// Registers a job, also one with an error.
    ///
    /// - Parameters:
    ///   - number: its index in `jobs`, where it is only if there is no error.
    ///   - job: its entry, for the place of an error.
    mutating func add(
        _ new: Job, number: Int, _ job: YAMLMapping<JobKey>, among jobs: [Job]
    ) throws(LivePhotoError) {
        let place = ComparedPlace(of: new.movie)
        let (movie, id) = (place.hashValue, new.id.hashValue)
        do throws(LivePhotoError) {
            if let other = Self.take(
                &movies, movie, number, jobs, leftOut, where: { ComparedPlace(of: $0.movie) == place })
            {
                throw Self.conflict(new, other, job)
            }
            if Self.take(&ids, id, number, jobs, leftOut, where: { $0.id == new.id }) != nil {
                throw (job[.id] ?? job.node).error(
                    .conflict, "two jobs have the id \(quoted(new.id)); use '{stem}' for the input's name")
            }
            guard !new.name.contains("/"), !["", ".", ".."].contains(new.name) else {
                throw (job[.name] ?? job.node).valueError(
                    .invalidValue, "\(quoted(new.name)) is not a file name; use one without slashes")
            }
        } catch {
            leftOut.append(new)
            let substitute = ~Int32(leftOut.count - 1)
            if movies[movie] == Int32(number) { movies[movie] = substitute }
            if ids[id] == Int32(number) { ids[id] = substitute }
            throw error
        }
    }

    private static func conflict(_ new: Job, _ other: Job, _ job: YAMLMapping<JobKey>) -> LivePhotoError {
        let problem = "would both make \(quoted(new.movie.string)); change the 'name' or 'output' of one"
        return job.node.error(
            .conflict,
            other.input == new.input
                ? "two jobs for \(quoted(other.input.string)) \(problem)"
                : "\(quoted(other.input.string)) and \(quoted(new.input.string)) \(problem), such as '{folder}-{stem}'"
        )
    }

    /// Registers a number.
    ///
    /// - Returns: the job that had its place.
    private static func take(
        _ numbers: inout [Int: Int32], _ hash: Int, _ number: Int, _ jobs: [Job], _ leftOut: [Job],
        where isSame: (Job) -> Bool
    ) -> Job? {
        guard let known = numbers.updateValue(Int32(number), forKey: hash) else { return nil }
        let job = known < 0 ? leftOut[Int(~known)] : jobs[Int(known)]
        return isSame(job) ? job : nil
    }
}
