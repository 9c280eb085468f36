import MediaModel

/// The only way for untrusted text into a page.
package enum HTML {
    /// An element for untrusted text: markup and control characters are escaped, and right-to-left text does not affect its
    /// surroundings.
    package static func text(_ text: String) -> String { "<bdi>\(attribute(text))</bdi>" }

    /// Untrusted text as the value of an attribute in double quotes.
    package static func attribute(_ text: String) -> String {
        var result = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
