import LivePhotoBatch

/// A line of `convert --json` for several clips: the properties of `ResultDocument`, a pair that was made before, or an error.
struct ClipDocument: Encodable {
    private enum Outcome {
        case made(ResultDocument)
        case existing(LivePhoto)
        case failed(LivePhotoError)
    }

    private let clip: String
    private let outcome: Outcome

    init(_ clip: String, _ result: ResultDocument) {
        (self.clip, outcome) = (clip, .made(result))
    }

    init(_ clip: String, existing pair: LivePhoto) {
        (self.clip, outcome) = (clip, .existing(pair))
    }

    init(_ clip: String, _ error: LivePhotoError) {
        (self.clip, outcome) = (clip, .failed(error))
    }

    private enum Key: CodingKey {
        case schema, clip, status, photo, movie, contentIdentifier, code, exitCode, file, error
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(ResultDocument.schema, forKey: .schema)
        try container.encode(clip, forKey: .clip)
        switch outcome {
        case .made(let document):
            try document.encode(to: encoder)
            try container.encode(document.dryRun ? "planned" : "made", forKey: .status)
        case .existing(let pair):
            try container.encode("existing", forKey: .status)
            try container.encode(pair.photo.string, forKey: .photo)
            try container.encode(pair.movie.string, forKey: .movie)
            try container.encode(pair.contentIdentifier.string, forKey: .contentIdentifier)
        case .failed(let error):
            try container.encode("failed", forKey: .status)
            try container.encode(error.code.general.rawValue, forKey: .code)
            try container.encode(error.code.exitStatus, forKey: .exitCode)
            try container.encodeIfPresent(error.file?.string, forKey: .file)
            try container.encode("\(error)", forKey: .error)
        }
    }
}
