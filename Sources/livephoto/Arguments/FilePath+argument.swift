import LivePhotoKit
import SystemPackage

extension FilePath {
    /// The path that was given as an argument, byte for byte: ArgumentParser provides a string, in which bytes that are not
    /// UTF-8 are replaced.
    init(argument text: String) {
        self = text.unicodeScalars.contains("\u{FFFD}") ? Self.raw(text) ?? FilePath(text) : FilePath(text)
    }

    /// The argument, or the value in `--option=VALUE` or `-oVALUE`, whose decoded text is `text`.
    private static func raw(_ text: String) -> FilePath? {
        for case let argument? in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
            var (length, valueStart) = (0, 0)
            while argument[length] != 0 {
                if valueStart == 0, UInt8(bitPattern: argument[length]) == UInt8(ascii: "=") { valueStart = length + 1 }
                length += 1
            }
            for start in [0, valueStart, 2] where start <= length && String(cString: argument + start) == text {
                return FilePath(platformString: argument + start)
            }
        }
        return nil
    }
}
