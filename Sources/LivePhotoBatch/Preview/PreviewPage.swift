import LivePhotoKit
import LivePhotoPages
import LivePhotoRequests
import MediaModel

/// The HTML of a page that plays Live Photos.
struct PreviewPage {
    private let frame: Page
    private let isSingle: Bool
    private let title: String
    private let count: Int

    init(title: String, count: Int, isLinked: Bool) {
        var frame = Page(title: title)
        (frame.scripts, frame.runsScriptsEarly) = ([Player.script], true)
        // Data blocks become `blob:` addresses.
        (frame.pictures, frame.movies) = isLinked ? ("blob: 'self' file:", "blob: 'self' file:") : ("blob:", "blob:")
        (self.frame, self.title, self.count) = (frame, title, count)
        isSingle = count == 1
    }

    var head: String {
        let count = isSingle ? "" : "<p class=\"origin\">\(counted(count, "Live Photo")) · press and hold to play</p>\n"
        return frame.head
            + "<h1>\(HTML.text(title))</h1>\n\(count)<div class=\"gallery\(isSingle ? " single" : "")\">\n"
    }

    var foot: String { "</div>\n" + frame.foot }

    /// A card with a player and the facts, without its data blocks.
    static func card(_ name: String, _ prepared: PreparedPreview, _ player: Player) -> String {
        let facts = prepared.facts
        var lines = [photoText(prepared), movieText(prepared)]
        if let still = facts.stillTime { lines.append("still at \(Words.decimal(still.seconds, 2)) s") }
        if let date = facts.captureDate { lines.append(text(of: date)) }
        let items = lines.map { "<li>\(HTML.text($0))</li>" }.joined()
        let findings = facts.findings.map {
            "<li class=\"\($0.severity)\">\(HTML.text("\($0.severity): \($0.message)"))</li>"
        }
        return "<figure>\(player.html())<figcaption><b>\(HTML.text(name))</b><ul class=\"facts\">\(items)</ul>"
            + (findings.isEmpty ? "" : "<ul class=\"findings\">\(findings.joined())</ul>") + "</figcaption></figure>\n"
    }

    /// A card of a Live Photo that cannot be shown.
    static func card(_ name: String, _ error: LivePhotoError) -> String {
        "<figure><div><p class=\"gone\">\(HTML.text(error.reason))</p></div>"
            + "<figcaption><b>\(HTML.text(name))</b></figcaption></figure>\n"
    }

    private static func photoText(_ prepared: PreparedPreview) -> String {
        let photo = prepared.facts.photo
        return "photo \(photo.size), \(Words.size(bytes: photo.bytes))"
            + (prepared.isCopied.photo ? ", shown as a JPEG copy" : "")
    }

    private static func movieText(_ prepared: PreparedPreview) -> String {
        let movie = prepared.facts.movie
        let size = movie.size.map { "\($0), " } ?? ""
        return "movie \(size)\(Words.decimal(movie.duration.seconds, 1)) s, \(movie.codec), "
            + Words.size(bytes: movie.bytes) + (prepared.isCopied.movie ? ", shown as an H.264 copy" : "")
    }

    /// `2018-11-01 13:00:05 +01:00`
    private static func text(of date: CaptureDate) -> String {
        date.iso8601.replacing("T", with: " ")
    }
}
