import LivePhotoPages
import Testing

@Suite struct PageTests {
    @Test(arguments: [
        ("beach", "beach"), ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\" onerror='x'", "&quot; onerror=&#39;x&#39;"), ("a & b &lt;", "a &amp; b &amp;lt;"),
        ("שלום 🏖\u{FE0F}", "שלום 🏖\u{FE0F}"), ("a\u{0}b\nc", "a\\0b\\nc"),
    ])
    func `a text is shown as it is, and is no markup`(text: String, shown: String) {
        #expect(HTML.text(text) == "<bdi>\(shown)</bdi>")
        #expect(HTML.attribute(text) == shown)
        #expect(Page(title: text).head.contains("<title>\(shown)</title>"))
    }

    @Test func `the player ends no script and opens no comment of a page`() {
        for word in ["</script", "<!--", "<script"] { #expect(!Player.script.contains(word), "\(word)") }
    }

    @Test func `no value of a player can leave its attribute`() {
        let evil = "\"><script>'&"
        var player = Player(photo: evil, movie: evil, still: 1.5, alternative: evil)
        player.size = (4, 3)
        let text = "&quot;&gt;&lt;script&gt;&#39;&amp;"
        #expect(
            player.html()
                == "<live-photo photo=\"\(text)\" movie=\"\(text)\" alt=\"\(text)\" still=\"1.5\" width=\"4\" height=\"3\">"
                + "</live-photo>")
    }

    @Test func `a page allows its own style sheets and scripts, by their digests, and nothing else`() throws {
        var page = Page(title: "")
        page.styles = ["p { color: red }"]
        // Digests of openssl dgst -sha256 -binary | base64.
        let style = "'sha256-ngewhhP73WDIbgwseeu52VAAJgKdGUsu1IUQQsAm8m4='"
        #expect(page.head.contains("default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(page.head.contains(style))
        for word in ["script-src", "media-src", "unsafe"] { #expect(!page.head.contains(word), "\(word)") }
        page.scripts = ["alert(1)"]
        page.movies = "data:"
        #expect(
            page.head.contains("media-src data:; script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"))
        #expect(page.head.contains("<script type=\"module\">alert(1)</script>"))
    }
}
