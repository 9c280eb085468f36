import LivePhotoBatch
import LivePhotoRequests

/// The moments of a clip of which Live Photos are made.
enum Moments: Sendable {
    /// One, as the settings say.
    case one
    /// Those at these values of `--still`.
    case stills([(text: String, still: RequestedStill)])
    /// So many of the best frames, apart from each other.
    case best(Int)

    /// The most Live Photos of one clip.
    static let most = 100

    /// - Parameters:
    ///   - still: the value of `--still`; several are separated by commas.
    ///   - count: the value of `--count`.
    /// - Throws: `UsageError`.
    init(still: String?, count: Int?) throws(UsageError) {
        let texts = still?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        if let count {
            guard still == nil else {
                throw UsageError(
                    "--count and --still exclude each other: one chooses the moments, the other names them")
            }
            guard 1...Self.most ~= count else { throw UsageError("--count: write a number from 1 to \(Self.most)") }
            self = .best(count)
        } else if texts.count > 1 {
            guard texts.count <= Self.most else { throw UsageError("--still: at most \(Self.most) moments") }
            self = .stills(
                try texts.map { text throws(UsageError) in
                    let still: RequestedStill? = try value(text, of: "--still")
                    guard let still, still != .best else {
                        throw UsageError("--still: several moments need times; --count takes the best ones")
                    }
                    return (text, still)
                })
        } else {
            self = .one
        }
    }

    /// What is made of a list that may have been meant as one time with a decimal comma, such as `2,5` or `0:02,5`; nil for
    /// others.
    var note: String? {
        guard case .stills(let stills) = self, stills.count == 2, stills[1].text.count <= 3,
            wholeNumber(stills[1].text) != nil,
            stills[0].text.contains(":") || stills.allSatisfy({ $0.text.count == 1 && wholeNumber($0.text) != nil })
        else {
            return nil
        }
        let texts = stills.map(\.text)
        return "two Live Photos, at \(texts[0]) s and at \(texts[1]) s; one at \(texts.joined(separator: ".")) s is "
            + "--still \(texts.joined(separator: "."))"
    }

    var isOne: Bool { if case .one = self { true } else { false } }

    /// A request for each moment of a clip, with the names NAME-1, NAME-2 and so on, in the order of the moments.
    ///
    /// - Throws: `LivePhotoError`.
    func requests(of request: ConversionRequest, _ engine: MediaEngine) async throws -> [ConversionRequest] {
        let chosen: [(text: String, still: RequestedStill)]
        switch self {
        case .one: return [request]
        case .stills(let stills): chosen = stills
        case .best(let count):
            guard request.work.openedClip == nil else {
                throw LivePhotoError(.invalidRequest, request.clip, "has to be a file for --count; save the clip first")
            }
            var search = FrameSheetRequest(clip: request.clip)
            search.selection = .best(count)
            search.conversion = request.work
            search.conversion?.preset.window.still = nil
            let pictures = try await engine.makeSheet(search).pictures.sorted { $0.time < $1.time }
            chosen = pictures.compactMap { picture in
                RequestedStill(text: picture.still).map { (picture.still, $0) }
            }
        }
        return request.each(of: chosen)
    }
}
