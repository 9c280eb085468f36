import LivePhotoKit

/// A line of JSON on the worker's standard output. The last one is the result or the failure.
package enum WorkerEvent: Codable, Sendable {
    case progress(ConversionProgress)
    case result(WorkResult)
    case failure(ReportedError)
    /// The order is of another version than the worker.
    case otherVersion(ShownText)
}

/// An error of the worker.
package struct ReportedError: Codable, Sendable {
    package let code: LivePhotoError.Code
    package let file: PathText?
    package let reason: String
    /// In words.
    package let cause: String?

    package init(_ error: LivePhotoError) {
        code = error.code
        // A place in a file goes with the words: the front reads no such file again.
        file = error.place == nil ? error.file.map { PathText($0) } : nil
        reason = error.place == nil ? error.reason : error.description
        cause = error.cause.map { String(reflecting: $0) }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = LivePhotoError.Code(rawValue: try container.text(.code, where: Self.isCode))
        file = try container.decodeIfPresent(PathText.self, forKey: .file)
        reason = try container.text(.reason, limit: AnswerLimits.line)
        cause = try container.optional(.cause) { try $0.text($1, limit: AnswerLimits.line) }
    }

    private static let general: Set<LivePhotoError.Code> = [
        .invalidRequest, .noInput, .unusableMedia, .outputExists, .cannotCreateOutput, .inputOutput, .temporary,
        .cancelled,
        .missingLibrary, .internalError,
    ]

    /// Whether a text is a code, with or without a refinement.
    private static func isCode(_ text: String) -> Bool {
        text.utf8.count <= AnswerLimits.name && general.contains(LivePhotoError.Code(rawValue: text).general)
            && text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
    }
}
