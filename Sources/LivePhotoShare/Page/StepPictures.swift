/// Drawings for the steps on the page, which follow its colours. `mark` is what to tap.
enum StepPictures {
    /// The sign of a Live Photo, as a file.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#0a84ff" stroke-width="1.6">\
        <circle cx="10" cy="10" r="2.2" fill="#0a84ff"/><circle cx="10" cy="10" r="5.2"/>\
        <circle cx="10" cy="10" r="8.4" stroke-dasharray="1.3 1.9"/></svg>
        """

    /// The button on this page.
    static let save = picture(
        """
        <rect x="26" y="8" width="48" height="84" rx="8"/><path d="M42 14h16"/>
        <g class="mark"><rect x="34" y="56" width="32" height="14" rx="7" fill="currentColor" stroke="none"/>\
        <path d="M50 26v18m-7-7l7 7 7-7"/></g>
        """)

    /// A file that becomes a folder.
    static let unpack = picture(
        """
        <path d="M14 26h16l8 8v36H14z"/><path d="M20 44h12M20 52h12M20 60h8"/>
        <path d="M44 50h10m-4-5l5 5-5 5"/>
        <g class="mark"><path d="M60 36h9l4 5h15v26H60z" fill="currentColor" fill-opacity=".15"/></g>
        """)

    /// Sharing from Files to Photos.
    static let keep = picture(
        """
        <rect x="26" y="8" width="48" height="84" rx="8"/><path d="M42 14h16"/>
        <path d="M34 34l8-8 8 8m-8-8v20"/><path d="M56 28h8M56 36h8"/>
        <g class="mark"><circle cx="50" cy="68" r="3.500" fill="currentColor"/><circle cx="50" cy="68" r="8"/>\
        <circle cx="50" cy="68" r="13" stroke-dasharray="2 3"/></g>
        """)

    /// Two files that are dragged together.
    static let drag = picture(
        """
        <rect x="10" y="14" width="22" height="30" rx="3"/><rect x="18" y="22" width="22" height="30" rx="3"/>
        <path d="M46 38h14m-5-5l6 5-6 5"/>
        <g class="mark"><rect x="66" y="18" width="26" height="46" rx="5" fill="currentColor" fill-opacity=".15"/>\
        <circle cx="79" cy="41" r="7"/></g>
        """)

    private static func picture(_ shapes: String) -> String {
        "<svg viewBox=\"0 0 100 100\" aria-hidden=\"true\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"3\" "
            + "stroke-linecap=\"round\" stroke-linejoin=\"round\">\(shapes)</svg>"
    }
}
