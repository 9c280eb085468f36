import Digests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The frame of an HTML page that loads nothing from elsewhere. Its Content-Security-Policy allows only the page's own
/// style sheets and scripts, known by their SHA-256, so markup that got into it could run nothing.
package struct Page: Sendable {
    /// Untrusted text.
    package var title: String
    /// Style sheets besides `Page.style`. None may contain `</style`.
    package var styles: [String] = []
    /// JavaScript modules, which run when the page is complete, or early. None may contain `</script`.
    package var scripts: [String] = []
    /// Whether scripts run as soon as they are read, while the rest of a large page still loads.
    package var runsScriptsEarly = false
    /// Sources of pictures, as in a Content-Security-Policy.
    package var pictures = "data:"
    /// Sources of movies, as in a Content-Security-Policy; nil for none.
    package var movies: String?

    package init(title: String) { self.title = title }

    /// The style sheet of all pages: light or dark as the system, black on white in print.
    package static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

    /// What kind of page it is, by which it is known again; nil if that does not matter.
    package var kind: String?

    /// What a page of this kind begins with.
    package var opening: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        \(kind.map { "<meta name=\"generator\" content=\"livephoto \(HTML.attribute($0))\">\n" } ?? "")
        """
    }

    /// The beginning of the page up to the content of `<main>`.
    package var head: String {
        """
        \(opening)\
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <title>\(HTML.attribute(title))</title>
        \(sheets.map { "<style>\($0)</style>\n" }.joined())\
        \(scripts.map { "<script type=\"module\"\(runsScriptsEarly ? " async" : "")>\($0)</script>\n" }.joined())\
        </head>
        <body>
        <main>

        """
    }

    /// The end of the page.
    package var foot: String { "</main>\n</body>\n</html>\n" }

    private var sheets: [String] { [Self.style] + styles }

    /// The Content-Security-Policy of the page, which a server also sends.
    package var policy: String {
        var directives = ["default-src 'none'", "img-src \(pictures)", "style-src \(Self.hashes(sheets))"]
        if let movies { directives.append("media-src \(movies)") }
        if !scripts.isEmpty { directives.append("script-src \(Self.hashes(scripts))") }
        return (directives + ["base-uri 'none'", "form-action 'none'"]).joined(separator: "; ")
    }

    private static func hashes(_ texts: [String]) -> String {
        texts.map { "'sha256-\(Data(Digest.sha256(Array($0.utf8))).base64EncodedString())'" }.joined(separator: " ")
    }
}
