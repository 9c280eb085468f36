import MediaModel
import Synchronization
import SystemPackage

/// Decides for pairs that were found by name whether their files belong together, and at which time the photo was taken.
/// Their pictures are compared only if their metadata leave that in doubt; copies of a pair are decoded once.
final class PairDecisions: Sendable {
    enum Verdict: Codable, Sendable, Hashable {
        /// They belong together.
        case together(StillMoment)
        /// They are in different folders, and nothing but their names brings them together.
        case apart(reason: String)
        /// They show or tell different things, though they have one name and folder.
        case notAlike(reason: String)
    }

    private let chooseStill: FolderLinker.ChooseStill
    /// Whether to search every movie for its photo.
    private let comparesAll: Bool
    /// The still times of pairs by their content.
    private let known = Mutex<[ContentIdentifier: StillMoment]>([:])

    init(comparesAll: Bool = false, chooseStill: @escaping FolderLinker.ChooseStill) {
        (self.comparesAll, self.chooseStill) = (comparesAll, chooseStill)
    }

    /// - Parameters:
    ///   - evidence: What the metadata of both files say.
    ///   - content: Identifies the content of both files; nil if it is not known.
    func verdict(
        on pair: NamedPairs.Pair, _ evidence: PairEvidence, content: ContentIdentifier?
    ) async throws(LivePhotoError) -> Verdict {
        switch comparesAll ? .doubt : evidence {
        case .proof(let still?): return .together(still)
        case .proof(nil): return .together(try await moment(of: pair, .ifUnknown, content))
        case .doubt: return try await compare(pair, content)
        case .disproof(let reason):
            guard pair.isInOneFolder else { return .apart(reason: "in different folders, and \(reason)") }
            let moment = try await chooseStill(pair.photo.path, pair.movie.path, .never)
            return moment.source == .request ? .together(moment) : .notAlike(reason: reason)
        }
    }

    /// Decides by the pictures, unless both have the same identifier.
    private func compare(
        _ pair: NamedPairs.Pair, _ content: ContentIdentifier?
    ) async throws(LivePhotoError) -> Verdict {
        let mustMatch = !pair.isInOneFolder && !pair.sharesIdentifier
        let moment = try await moment(
            of: pair, pair.sharesIdentifier && !comparesAll ? .ifUnknown : .always, mustMatch ? nil : content)
        switch moment.source {
        case .photo: return .together(moment)
        case _ where mustMatch: return .apart(reason: "in different folders, and the movie does not show the photo")
        case .guess(let reason):
            // A shared identifier proves that they belong together, whatever they show.
            return pair.sharesIdentifier ? .together(moment) : .notAlike(reason: reason)
        case .request, .movie, .photoMetadata, .middle: return .together(moment)
        }
    }

    private func moment(
        of pair: NamedPairs.Pair, _ search: StillSearch, _ content: ContentIdentifier?
    ) async throws(LivePhotoError) -> StillMoment {
        if let content, let moment = known.withLock({ $0[content] }) { return moment }
        let moment = try await chooseStill(pair.photo.path, pair.movie.path, search)
        if let content { known.withLock { $0[content] = moment } }
        return moment
    }
}
