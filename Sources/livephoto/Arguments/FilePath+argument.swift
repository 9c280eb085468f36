import LivePhotoKit
import SystemPackage

extension FilePath {
    /// The path that was given as an argument, byte for byte: ArgumentParser provides a string, in which bytes that are not
    /// UTF-8 are replaced.
    ///
    /// - Parameter number: Which of the arguments that become the same string, from 0 on.
    init(argument text: String, number: Int = 0) {
        guard text.unicodeScalars.contains("\u{FFFD}") else {
            self.init(text)
            return
        }
        let found = Self.raw(text)
        self = found.indices.contains(number) ? found[number] : found.first ?? FilePath(text)
    }

    /// The arguments, or values in `--option=VALUE` or `-oVALUE`, whose decoded text is `text`.
    private static func raw(_ text: String) -> [FilePath] {
        UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).compactMap { argument in
            guard let argument else { return nil }
            var (length, valueStart) = (0, 0)
            while argument[length] != 0 {
                if valueStart == 0, UInt8(bitPattern: argument[length]) == UInt8(ascii: "=") { valueStart = length + 1 }
                length += 1
            }
            let start = [0, valueStart, 2].first { $0 <= length && String(cString: argument + $0) == text }
            return start.map { FilePath(platformString: argument + $0) }
        }
    }
}

extension [FilePath] {
    /// The paths that were given as the arguments of a list, each byte for byte.
    init(arguments texts: [String]) {
        var counts: [String: Int] = [:]
        self = texts.map { text in
            defer { counts[text, default: 0] += 1 }
            return FilePath(argument: text, number: counts[text, default: 0])
        }
    }
}
