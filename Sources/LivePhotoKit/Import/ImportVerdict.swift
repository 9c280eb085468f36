import Files
import SystemPackage

extension ImportLog {
    /// What was decided about a photo and a movie for which pictures had to be decoded. An import that was interrupted uses it
    /// again, as most of its time goes there.
    struct Verdict: Codable, Sendable {
        /// As they were when that was decided.
        let photo, movie: FileState
        let decision: PairDecisions.Verdict
    }
}

extension ImportWork {
    /// Decides whether the files of a pair belong together, unless that was decided before and they have not changed since.
    func verdict(
        on pair: NamedPairs.Pair, _ evidence: PairEvidence
    ) async throws(LivePhotoError) -> PairDecisions.Verdict {
        switch evidence {
        case .doubt, .proof(still: nil): break
        case .proof, .disproof: return try await decisions.verdict(on: pair, evidence, content: nil)
        }
        let photo = ImportLog.FileState(try SourceFile(pair.photo.path))
        let movie = ImportLog.FileState(try SourceFile(pair.movie.path))
        if let decision = log.verdict(on: photo, movie) { return decision }
        let decision = try await decisions.verdict(on: pair, evidence, content: nil)
        try log.append(ImportLog.Verdict(photo: photo, movie: movie, decision: decision))
        return decision
    }
}
