import MediaModel

/// Filters of libavfilter, one after another, in the syntax of ffmpeg's `-vf`: `eq=contrast=1.2,gblur=2`.
///
/// Only filters are allowed that change each picture by itself, read no files and keep the picture's size, so that the photo
/// and every frame of the movie get the same.
public struct FilterChain: OptionValue {
    /// The chain as it was written.
    public let description: String
    /// In the order in which they are applied.
    package let filters: [Filter]

    public static let kind = "a filter chain"
    public static let allowed =
        "filters such as 'eq=contrast=1.2,gblur=2', of those that Documentation/Filters.md lists"
    public static let jsonSchema = #""type": "string", "minLength": 1, "examples": ["eq=contrast=1.2,gblur=2"]"#

    /// Real chains have a few filters.
    private static let lengthLimit = 8_192
    private static let countLimit = 64

    /// A filter with its options.
    package struct Filter: Sendable, Hashable {
        package let kind: AllowedFilter
        fileprivate let options: [FilterSyntax.Option]
    }

    /// Reads a chain; nil for one that is not allowed.
    public init?(text: String) {
        guard let filters = try? Self.filters(text) else { return nil }
        (description, self.filters) = (text, filters)
    }

    public static func problem(in text: String) -> String? {
        do {
            _ = try filters(text)
            return nil
        } catch {
            return error.reason
        }
    }

    private static func filters(_ text: String) throws(FilterSyntax.Problem) -> [Filter] {
        guard text.utf8.count <= lengthLimit else { throw .init("it has more than \(lengthLimit) bytes; shorten it") }
        let parsed = try FilterSyntax.parse(text)
        guard parsed.count <= countLimit else { throw .init("it has more than \(countLimit) filters; leave some out") }
        var filters: [Filter] = []
        for (name, options) in parsed { filters.append(try Filter(name, options)) }
        return filters
    }
}

extension FilterChain {
    /// Whether something in the picture gets to another place.
    package var movesPicture: Bool { filters.contains { $0.kind.movesPicture } }

    /// The names of filters whose result depends on the number of pixels, each once.
    package var pixelFilters: [String] {
        filters.reduce(into: []) { names, filter in
            if filter.kind.countsPixels, !names.contains(filter.kind.name) { names.append(filter.kind.name) }
        }
    }
}

extension FilterChain.Filter {
    fileprivate init(_ name: String, _ options: [FilterSyntax.Option]) throws(FilterSyntax.Problem) {
        guard !name.contains("@") else {
            throw .init("\(quoted(name)) names an instance; write the filter's name without '@'")
        }
        guard let kind = AllowedFilter.all.first(where: { $0.name == name }) else {
            let hint = suggestion(for: name, among: AllowedFilter.all.map(\.name))
            throw .init(
                "\(quoted(name)) is not an allowed filter\(hint.isEmpty ? "; write \(FilterChain.allowed)" : hint)")
        }
        (self.kind, self.options) = (kind, options)
        let unnamed = options.prefix { $0.name == nil }
        if options[unnamed.count...].contains(where: { $0.name == nil }) {
            throw .init("\(name) has a value without a name after a named option; name it too")
        }
        if let limit = kind.unnamedLimit, unnamed.count > limit {
            throw .init("\(name) has \(unnamed.count) values without a name, more than \(limit); name the options")
        }
        for option in options { try check(option) }
    }

    /// The layout of its pictures.
    package var layout: AllowedFilter.Layout {
        let rgb: Set<String> = ["r", "g", "b", "red_expr", "green_expr", "blue_expr"]
        let isRGB = kind.name == "geq" && options.contains { $0.name.map(rgb.contains) ?? false }
        return isRGB ? .rgb : kind.layout
    }

    /// In the syntax of libavfilter, which reads exactly these options from it.
    package var libavText: String { FilterSyntax.text(kind.name, options) }

    private func check(_ option: FilterSyntax.Option) throws(FilterSyntax.Problem) {
        if let name = option.name {
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isWordByte }) else {
                throw .init("\(quoted(name)) cannot be the name of an option of \(kind.name); correct it")
            }
            if let refusal = kind.refused[name] ?? AllowedFilter.refusedEverywhere[name] {
                throw .init(
                    "the option \(name) of \(kind.name) is not allowed, because \(refusal.reason); leave it out")
            }
            guard !AllowedFilter.settingsOfGraph.contains(name) else {
                throw .init("the option \(name) of \(kind.name) is not allowed; leave it out")
            }
            // Its other flags make a pattern that changes from frame to frame.
            if kind.name == "noise", name.hasSuffix("f") || name.hasSuffix("flags"),
                !option.value.allSatisfy({ "up+".contains($0) })
            {
                throw .init("\(quoted(option.value)) makes noise that differs between frames; write u, p or u+p")
            }
        }
        for word in Self.words(in: option.value) {
            if kind.timeVariables.contains(word) {
                throw .init("\(kind.name) uses \(word), the time, which a photo does not have; leave it out")
            }
            // Names of colours have no case.
            if Self.refusedFunctions.contains(word) || Self.randomColors.contains(word.lowercased()) {
                throw .init("\(kind.name) uses \(word), whose result differs from frame to frame; leave it out")
            }
        }
    }

    /// Functions of libavutil's expressions that remember values from one evaluation to the next, need those that do, or
    /// depend on chance or the clock.
    private static let refusedFunctions: Set<String> = [
        "ld", "print", "random", "randomi", "root", "st", "taylor", "time", "while",
    ]
    /// Two names of one colour in libavutil.
    private static let randomColors: Set<String> = ["random", "bikeshed"]

    /// The names in an expression. Letters that follow a number are its unit: `2n`.
    private static func words(in value: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for byte in Array(value.utf8) + [0] {
            if byte.isWordByte {
                word.append(byte)
            } else {
                if let first = word.first, !(0x30...0x39).contains(first) {
                    words.append(String(decoding: word, as: UTF8.self))
                }
                word = []
            }
        }
        return words
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter, a digit or an underscore.
    fileprivate var isWordByte: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F
    }
}
