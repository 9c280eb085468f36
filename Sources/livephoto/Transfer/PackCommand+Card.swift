import LivePhotoKit
import LivePhotoRequests

extension PackCommand {
    /// The value of --as that copies both files to a camera's card.
    static let card = "dcim"
    static let formats = PairContainer.Format.allCases.map(\.rawValue) + [card]

    func copyToCard() async throws {
        guard !transfer.force else {
            throw UsageError("--force does not apply to --as dcim, which never replaces a file")
        }
        let sources = try PairSources(paths)
        let card = try OutputPlace.folder(output)
        let isPair = if case .pair = sources { true } else { false }
        try await transfer.run("copying", isSingle: isPair) { transfer, log in
            switch sources {
            case .pair(let pair):
                let outcome = transfer.copy(photo: pair.photo, movie: pair.movie, toCard: card)
                try log.report(outcome, results: outcome.outputs)
            case .folders(let folders):
                try await transfer.copy(below: folders, toCard: card) {
                    log.show($0)
                } report: {
                    try log.report($0, results: $0.outputs)
                }
            }
        }
    }
}
