import LivePhotoRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How lines on stderr are written.
enum LogFormat: String, CaseIterable, Sendable {
    case text, json

    /// The format that the arguments ask for, before they are parsed: what is wrong with them is a line too.
    static func requested(by arguments: [String]) -> LogFormat? {
        let words = Array(arguments.prefix { $0 != "--" })
        let name = "--log-format"
        let values = words.indices.compactMap { index -> String? in
            if words[index] == name { return words[(index + 1)...].first }
            return words[index].hasPrefix(name + "=") ? String(words[index].dropFirst(name.count + 1)) : nil
        }
        return values.last.flatMap(LogFormat.init)
    }
}

/// A line of `--log-format json`.
struct LogLine<Progress: Encodable>: Encodable {
    /// `2026-11-21T22:51:44.120Z`
    private let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let level: String
    var code: String?
    var file: String?
    var message: String?
    var progress: Progress?
}

/// In place of the progress of other lines.
struct NoProgress: Encodable {}

extension LogLine where Progress == NoProgress {
    /// How lines of each level begin.
    private static var starts: [(start: String, level: String)] {
        [
            ("error: ", "error"), ("warning: ", "warning"), ("note: ", "note"), ("caused by: ", "debug"),
        ]
    }

    /// - Parameter text: as it is written without `--log-format json`.
    init(_ text: String, code: String?, file: String?) {
        let known = Self.starts.first { text.hasPrefix($0.start) }
        level = known?.level ?? (text.hasPrefix("stopped; ") ? "warning" : "info")
        message = String(known?.level == "debug" ? text[...] : text.dropFirst(known?.start.count ?? 0))
        (self.code, self.file) = (code, file)
    }
}
