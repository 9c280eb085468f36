import LivePhotoKit
import LivePhotoRequests

/// `GET /api/session`: what can be chosen.
struct SessionDocument: Encodable {
    private struct Preset: Encodable {
        let name: String
        let description: String
        /// To which it crops, such as `6:13`.
        let shape: String?
    }

    private struct Slider: Encodable {
        let name: String
        let least: Double
        let most: Double
        let step: Double
    }

    private let output: String
    private let uploadLimit = Uploads.limit
    private let presets: [Preset]
    private let preset: String
    private let sliders: [Slider]
    private let effects = Setting.effect.words
    private let maxStills = StudioChoice.mostStills
    private let hasFolders: Bool

    init(output: String, _ presets: StudioPresets, hasFolders: Bool) {
        (self.output, self.hasFolders, preset) = (output, hasFolders, presets.first)
        self.presets = presets.all.map { preset in
            let shape: String? = if case .fill(let ratio) = preset.picture.framing.shape { "\(ratio)" } else { nil }
            return Preset(name: preset.name, description: preset.description, shape: shape)
        }
        sliders = StudioChoice.sliders.map {
            Slider(
                name: $0.setting.optionName, least: $0.range.lowerBound, most: $0.range.upperBound, step: $0.step)
        }
    }
}

/// `GET /api/items`.
struct ItemsDocument: Encodable {
    struct Item: Encodable {
        let id: Int
        let kind: String
        let name: String
        let folder: String
        /// Of the clip or the container; nil if unknown.
        let bytes: Int64?
        let problem: String?
        let isUpload: Bool

        init(_ item: StudioItem) {
            (id, kind, name, folder) = (item.id, item.kind, item.name, item.folder)
            isUpload = item.isUpload
            bytes = item.path.flatMap { try? $0.stat().size }.map { Int64($0) }
            problem = item.problem?.description
        }
    }

    let isComplete: Bool
    let items: [Item]
    let notes: [String]
}

/// `POST /api/items/ID/plan`.
struct PlanDocument: Encodable {
    let command: String
    /// The part of the clip that is shown.
    var start: Double?
    var end: Double?
    /// Of the movie.
    var seconds: Double?
    var stillSeconds: Double?
    var frames: Int?
    var frameRate: Double?
    var movieWidth: Int?
    var movieHeight: Int?
    var date: String?
    var warnings: [String] = []
    /// What is done, in words.
    var text: String?
    let photo: String
    /// Whether files of these names exist, except those that were made of the same clip with the same choices.
    let exists: Bool
    /// A name that no file has; nil if the chosen one is free.
    let freeName: String?
}

/// `GET /api/results/ID`.
struct ResultDocument: Encodable {
    struct Finding: Encodable {
        let severity: String
        let text: String
    }

    let id: Int
    let name: String
    let photo: String
    let movie: String
    let command: String
    let width: Int
    let height: Int
    /// Of the movie; nil if unknown.
    let movieWidth: Int?
    let movieHeight: Int?
    let hasSound: Bool
    let stillSeconds: Double?
    let seconds: Double
    let findings: [Finding]
}

struct LevelsDocument: Encodable {
    let secondsPerLevel: Double
    let levels: [Int]
}

struct ErrorDocument: Encodable {
    let error: String
    let code: String
}

struct JobDocument: Encodable { let job: Int }
struct JobsDocument: Encodable { let jobs: [StudioJob] }
struct NoteDocument: Encodable { let note: String }
