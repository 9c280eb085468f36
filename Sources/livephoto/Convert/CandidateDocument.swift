import LivePhotoRequests

/// A candidate for the still in JSON: its time in seconds, and its score with all parts, each from 0 to 1.
struct CandidateDocument: Encodable {
    private let time: Double
    private let score: ScoreDocument

    init(_ candidate: StillCandidate) {
        (time, score) = (candidate.time.seconds, ScoreDocument(candidate.score))
    }
}

/// A score in JSON: the total and its parts by the names that texts use, each from 0 to 1.
struct ScoreDocument: Encodable {
    private let values: [String: Double]

    init(_ score: StillScore) {
        let parts = score.parts + [("total", score.total)]
        values = Dictionary(parts.map { ($0.name, Double($0.value) / 1000) }) { first, _ in first }
    }

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
