import LivePhotoKit
import LivePhotoPages

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A sheet as a page that contains its pictures. A click on one copies its `--still` value.
struct SheetPage {
    private let clip: FilePath
    private let sheet: FrameSheet
    private let pictures: [[UInt8]]

    /// - Parameter pictures: a JPEG for each picture of the sheet.
    init(_ clip: FilePath, _ sheet: FrameSheet, _ pictures: [[UInt8]]) {
        (self.clip, self.sheet, self.pictures) = (clip, sheet, pictures)
    }

    var text: String {
        let name = clip.lastComponent?.string ?? clip.string
        var page = Page(title: "Frames of \(name)")
        page.styles = [Self.style]
        page.scripts = [Self.script]
        let items = zip(sheet.pictures, pictures).map(item).joined()
        return page.head + """
            <h1>Frames of \(HTML.text(name))</h1>
            <p>Click a picture to copy its option for <code>livephoto convert</code>. The framed one is the best still; the marked \
            ones are in the movie that is made with it.</p>
            <p id="copied" role="status" aria-live="polite"></p>
            <ul class="sheet">
            \(items)</ul>

            """ + page.foot
    }

    private func item(_ picture: FrameSheet.Picture, _ jpeg: [UInt8]) -> String {
        let marks = [picture.isSuggested ? "best" : nil, picture.isInWindow ? "window" : nil].compactMap(\.self)
        let size = sheet.size.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
        let score = picture.score.map { "\($0)" } ?? ""
        let label = "--still \(picture.still)"
        return """
            <li class="\(marks.joined(separator: " "))"><button type="button" data-still="\(HTML.attribute(label))" \
            title="\(HTML.attribute(score))"><img alt="The frame at \(HTML.attribute(picture.still)) s" loading="lazy"\(size) \
            src="data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())"><span>\(HTML.attribute(picture.still))\
            \(picture.isSuggested ? " · best" : "")</span></button></li>

            """
    }

    private static let style = """
        .sheet { display: flex; flex-wrap: wrap; gap: 0.75rem; padding: 0; list-style: none; }
        .sheet button { display: block; padding: 0.25rem; border: 0.2rem solid transparent; border-radius: 0.4rem; \
        background: none; color: inherit; font: inherit; cursor: pointer; }
        .sheet button:hover, .sheet button:focus-visible { border-color: currentColor; }
        .sheet .best button { border-color: goldenrod; }
        .sheet img { display: block; max-width: 100%; height: auto; border-bottom: 0.3rem solid transparent; }
        .sheet .window img { border-bottom-color: royalblue; }
        .sheet span { display: block; padding-top: 0.2rem; font-variant-numeric: tabular-nums; text-align: center; }

        """

    /// Where the clipboard cannot be used, as in pages from files in some browsers, the text is selected instead.
    private static let script = """
        const status = document.getElementById("copied");
        for (const button of document.querySelectorAll(".sheet button")) {
          button.addEventListener("click", async () => {
            const text = button.dataset.still;
            try {
              await navigator.clipboard.writeText(text);
              status.textContent = `Copied: ${text}`;
            } catch {
              status.textContent = text;
              getSelection().selectAllChildren(status);
              if (document.execCommand("copy")) status.textContent = `Copied: ${text}`;
            }
          });
        }

        """
}
