import Bytes
public import MediaModel
import QuickTime
import StillImage
public import SystemPackage

/// Folders named after dates, such as `2025/09` for the pattern `%Y/%m`.
public struct DateFolders: Sendable, Hashable {
    private enum Part: Hashable {
        case text(String)
        /// The letter of a code: `%Y`, `%m`, `%d`, `%H`, `%M` or `%S`.
        case code(Character)
    }

    /// The folder for pairs without a date.
    static let undated: FilePath = "undated"

    private let parts: [Part]

    /// Reads a relative path with at least one code of a date: `%Y` (four digits), `%m`, `%d`, `%H`, `%M` and `%S` (two
    /// digits), and `%%` for a percent sign. Nil for anything else, and for names that begin with a dot.
    public init?(_ pattern: String) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts.append(.text(String(character)))
                continue
            }
            switch rest.popFirst() {
            case "%"?: parts.append(.text("%"))
            case let code? where "YmdHMS".contains(code): parts.append(.code(code))
            case _: return nil
            }
        }
        let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !pattern.contains("\0"),
            parts.contains(where: { if case .code = $0 { true } else { false } })
        else { return nil }
        self.parts = parts
    }

    /// The relative path of the folder for a date in local time; `undated` without one.
    public func folder(for date: CaptureDate?) -> FilePath {
        guard let date else { return Self.undated }
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let names = parts.map { part in
            switch part {
            case .text(let text): text
            case .code("Y"): digits(date.year, 4)
            case .code("m"): digits(date.month, 2)
            case .code("d"): digits(date.day, 2)
            case .code("H"): digits(date.hour, 2)
            case .code("M"): digits(date.minute, 2)
            case .code: digits(date.second, 2)
            }
        }
        return FilePath(names.joined())
    }

    /// The date at which a photo was taken, as linking would write it: of the photo, the movie, a sidecar or the names.
    static func date(ofPhoto photo: FilePath, movie: FilePath) -> CaptureDate? {
        if let date = PhotoReader.statedDate(of: photo)?.date { return date }
        if let file = try? InputFile(movie), let date = (try? MovieReader(file))?.captureDate {
            return FileMetadata.localTime(of: date, photo, movie)
        }
        return OutsidePairMetadata(photo: photo, movie: movie).captureDate
    }
}

extension CaptureDate {
    /// When a photo or a movie was taken: its own date, otherwise that of a sidecar or its name. Nil without one, and if it
    /// cannot be read.
    package init?(ofFile file: FilePath) {
        guard let date = DateFolders.date(ofPhoto: file, movie: file) else { return nil }
        self = date
    }
}
