import LivePhotoRequests

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What terminals of this environment can show, and how wide. Everything is determined at first use, since most commands
/// need none of it.
enum DisplayWidth {
    /// Whether the terminal expects UTF-8, by the locale of the environment.
    static let isUTF8: Bool = {
        if let locale = newlocale(LC_CTYPE_MASK, "", nil) {
            defer { freelocale(locale) }
            return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } == "UTF-8"
        }
        // A locale that is not installed, as on a server that gets the name of the user's own.
        let environment = CurrentProcess.environment
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return ["utf-8", "utf8"].contains { name.lowercased().hasSuffix($0) }
    }()

    /// Replaces the end of a text that is cut.
    static var ellipsis: String { isUTF8 ? "…" : "..." }

    /// Columns of a text without control characters: the sum of wcwidth(3), which is 0 for combining characters and 2 for
    /// East Asian ones and most emoji.
    static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return withUTF8Locale { text.unicodeScalars.reduce(0) { $0 + columns(of: $1) } }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        #if canImport(Glibc)
            // Unknown characters count as one column.
            guard let wcwidth, let code = CInt(exactly: scalar.value) else { return 1 }
            let width = wcwidth(code)
        #else
            let width = wcwidth(scalar)
        #endif
        return width < 0 ? 1 : Int(width)
    }

    /// wcwidth(3) depends on the locale of its thread.
    private static func withUTF8Locale<Result>(_ body: () -> Result) -> Result {
        guard let locale = locale_t(bitPattern: utf8Locale) else { return body() }
        let former = uselocale(locale)
        defer { _ = uselocale(former) }
        return body()
    }

    /// A locale that knows all characters whatever the environment's is; as a number, because pointers are not `Sendable`.
    private static let utf8Locale = UInt(bitPattern: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
}

#if canImport(Glibc)
    /// glibc declares it only with `_XOPEN_SOURCE`, which Swift's module of it does not define.
    private let wcwidth = dlsym(nil, "wcwidth").map { unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self) }
#endif

extension String {
    /// Width on a terminal.
    var columns: Int { DisplayWidth.columns(of: self) }

    /// The text if it is no wider than `columns`, otherwise its start with an ellipsis. Characters stay whole.
    func cut(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        let ellipsis = DisplayWidth.ellipsis
        var (result, left) = ("", columns - ellipsis.columns)
        for character in self {
            left -= String(character).columns
            guard left >= 0 else { break }
            result.append(character)
        }
        return result + ellipsis
    }

    /// Pads with spaces to `width` columns; adds at least one.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - columns, 1))
    }
}
