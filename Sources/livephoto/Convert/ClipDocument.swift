import LivePhotoBatch

/// A line of `convert --json` for several clips: the properties of `ResultDocument`, or an error.
struct ClipDocument: Encodable {
    private let clip: String
    private let result: Result<ResultDocument, LivePhotoError>

    init(_ clip: String, _ result: ResultDocument) {
        (self.clip, self.result) = (clip, .success(result))
    }

    init(_ clip: String, _ error: LivePhotoError) {
        (self.clip, self.result) = (clip, .failure(error))
    }

    private enum Key: CodingKey {
        case schema, clip, status, code, exitCode, file, error
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(clip, forKey: .clip)
        switch result {
        case .success(let document):
            try document.encode(to: encoder)
            try container.encode(document.dryRun ? "planned" : "made", forKey: .status)
        case .failure(let error):
            try container.encode(ResultDocument.schema, forKey: .schema)
            try container.encode("failed", forKey: .status)
            try container.encode(error.code.general.rawValue, forKey: .code)
            try container.encode(error.code.exitStatus, forKey: .exitCode)
            try container.encodeIfPresent(error.file?.string, forKey: .file)
            try container.encode("\(error)", forKey: .error)
        }
    }
}

/// A line of `convert --json` for a clip whose pair was made before.
struct ExistingDocument: Encodable {
    private let schema = ResultDocument.schema
    private let clip: String
    private let status = "existing"
    private let photo: String
    private let movie: String
    private let contentIdentifier: String

    init(_ clip: String, _ pair: LivePhoto) {
        self.clip = clip
        (photo, movie) = (pair.photo.string, pair.movie.string)
        contentIdentifier = pair.contentIdentifier.string
    }
}
