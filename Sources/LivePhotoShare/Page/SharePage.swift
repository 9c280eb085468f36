import LivePhotoBatch
import LivePhotoKit
import LivePhotoPages

/// The page that a phone or computer opens: the Live Photos, and how to save them there.
struct SharePage {
    private let frame: Page
    private let items: [SharedLibrary.Item]
    private let device: Device

    private static let style = String(decoding: PackageResources.share_css, as: UTF8.self)
    private static let script = String(decoding: PackageResources.share_js, as: UTF8.self)

    init(_ items: [SharedLibrary.Item], _ device: Device) {
        (self.items, self.device) = (items, device)
        var frame = Page(title: items.count == 1 ? items[0].name : counted(items.count, "Live Photo"))
        frame.styles = [Self.style]
        frame.scripts = [Player.script] + (device == .android ? [Self.script] : [])
        (frame.pictures, frame.movies) = ("'self' blob:", "'self' blob:")
        self.frame = frame
    }

    /// The Content-Security-Policy.
    var policy: String { frame.policy + "; frame-ancestors 'none'" }

    var html: String {
        var text = frame.head + "<h1>\(HTML.text(frame.title))</h1>\n" + steps + all
        text += "<div class=\"gallery\(items.count == 1 ? " single" : "")\">\n"
        for item in items { text += card(item) }
        return text + "</div>\n" + shortcut + footer + frame.foot
    }

    private typealias Step = (picture: String, title: String, text: String)

    private var steps: String {
        let isSingle = items.count == 1
        let steps: [Step] =
            switch device {
            case .iPhone:
                [
                    (StepPictures.save, "Save", "Tap the button, then Download."),
                    (
                        StepPictures.unpack, "Unpack",
                        "Tap the arrow in Safari's bar, Downloads, and the file: a folder .pvt appears\(isSingle ? "" : " for each")."
                    ),
                    (StepPictures.keep, "Keep", "Tap the folder, then Share, and save it to Photos."),
                ]
            case .android:
                [
                    (
                        StepPictures.save, "Save",
                        "Tap the button: each Live Photo is saved as a motion photo, which galleries and Google Photos play."
                    )
                ]
            case .mac:
                [
                    (StepPictures.save, "Save", "Click the button; Safari unpacks the file by itself."),
                    (
                        StepPictures.drag, "Drag",
                        "Drag both files of a Live Photo onto the window of Photos, together."
                    ),
                ]
            case .other: []
            }
        guard !steps.isEmpty else { return "" }
        let list = steps.map { "<li>\($0.picture)<p><b>\($0.title)</b><br>\(HTML.attribute($0.text))</p></li>\n" }
            .joined()
        let note =
            device == .iPhone
            ? "<p class=\"note\">Others have reported that this works on iPhones and iPads; the makers of livephoto have none and "
                + "have not tried it.</p>\n" : ""
        return "<ol class=\"steps\">\n\(list)</ol>\n\(note)"
    }

    /// The button for everything.
    private var all: String {
        guard items.count > 1 else { return "" }
        let size = items.reduce(0) { $0 + $1.bytes }
        switch device {
        case .iPhone: return button(SharePath.allBundles, "Save all", size, "all")
        case .mac, .other: return button(SharePath.allFiles, "Save all", size, "all")
        case .android:
            return
                "<button id=\"each\" type=\"button\" class=\"button all\">Save all <small>· \(Words.size(bytes: size))</small></button>\n"
        }
    }

    private func card(_ item: SharedLibrary.Item) -> String {
        switch item.source {
        case .failure(let error):
            return "<figure><div><p class=\"gone\">\(HTML.text(error.reason))</p></div>"
                + "<figcaption><b>\(HTML.text(item.name))</b></figcaption></figure>\n"
        case .success(let source):
            let facts = source.facts
            var player = Player(
                photo: "/\(SharePath.photo(item.index))", movie: "/\(SharePath.movie(item.index))",
                still: facts.stillTime?.seconds, alternative: item.name)
            player.size = (facts.photo.size.width, facts.photo.size.height)
            player.isSilent = !facts.movie.hasSound
            return "<figure>\(player.html())<figcaption>\(buttons(item))</figcaption></figure>\n"
        }
    }

    private func buttons(_ item: SharedLibrary.Item) -> String {
        let (bundle, files, motion) = (
            SharePath.bundle(item.index), SharePath.files(item.index), SharePath.motionPhoto(item.index)
        )
        // A single one has the only button of the page.
        let (label, look) = items.count == 1 ? ("Save \(item.name)", "") : (item.name, "quiet")
        switch device {
        case .iPhone: return button(bundle, label, item.bytes, look)
        case .android: return button(motion, label, item.bytes, look)
        case .mac: return button(files, label, item.bytes, look)
        case .other:
            return button(files, label, item.bytes, look)
                + "<span class=\"others\"><a href=\"/\(bundle)\" download>for an iPhone</a> · "
                + "<a href=\"/\(motion)\" download>for Android</a></span>"
        }
    }

    private func button(_ path: String, _ label: String, _ bytes: Int, _ look: String) -> String {
        "<a class=\"button \(look)\" href=\"/\(path)\" download>\(HTML.text(label)) <small>· \(Words.size(bytes: bytes))</small></a>\n"
    }

    /// How to do it in one tap, for those who do it often.
    private var shortcut: String {
        guard device == .iPhone else { return "" }
        let steps = [
            "Scan QR or Barcode", "Text: the result, followed by <code>\(SharePath.allBundles)</code>",
            "Get Contents of URL", "Extract Archive", "Repeat with Each: Save to Photo Album",
        ].map { "<li>\($0)</li>" }.joined()
        return
            "<details><summary>One tap, with a Shortcut</summary>\n<p>In the app Shortcuts, make a new one of these "
            + "actions. When it runs, it scans the code on the computer and saves everything. Reported to work; not tried by the "
            + "makers.</p><ol>\(steps)</ol></details>\n"
    }

    private var footer: String {
        let others = Device.allCases.filter { $0 != device }.map {
            "<a href=\"/\(SharePath.page(for: $0))\">\($0.title)</a>"
        }.joined(separator: " ")
        return """
            <footer>
            <nav><span>For another device:</span> \(others)</nav>
            <p class="note">Press and hold a photo to play it. Anyone in this network who has the address can open this page until \
            sharing ends.</p>
            </footer>

            """
    }
}

extension SharedLibrary.Item {
    /// Of both files.
    fileprivate var bytes: Int {
        if case .success(let source) = source { source.photo.size + source.movie.size } else { 0 }
    }
}
