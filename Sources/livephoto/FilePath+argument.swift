import LivePhotoKit
import SystemPackage

extension FilePath {
    /// The path that an argument of the command line is, byte for byte: ArgumentParser gives texts, in which bytes that are
    /// not UTF-8 are replaced.
    init(argument text: String) {
        self = text.unicodeScalars.contains("\u{FFFD}") ? Self.raw(text) ?? FilePath(text) : FilePath(text)
    }

    /// The argument, or the value of `--option=VALUE` or `-oVALUE`, that is given as a text.
    private static func raw(_ text: String) -> FilePath? {
        for case let argument? in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
            let bytes = rawBytes(argument)
            let equals = bytes.firstIndex(of: CInterop.PlatformChar(bitPattern: UInt8(ascii: "="))).map { $0 + 1 }
            // All of it, or what follows `--option=` or `-o`.
            for start in [0, equals ?? 0, 2] where start < bytes.count {
                let value = Array(bytes[start...])
                guard String(decoding: value.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) == text else {
                    continue
                }
                return value.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } }
            }
        }
        return nil
    }

    /// With the zero that ends them.
    private static func rawBytes(_ argument: UnsafeMutablePointer<CInterop.PlatformChar>) -> [CInterop.PlatformChar] {
        var count = 0
        while argument[count] != 0 { count += 1 }
        return Array(UnsafeBufferPointer(start: argument, count: count + 1))
    }
}
