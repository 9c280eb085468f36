/// What a client is, by its header field User-Agent. It decides only what the page offers first.
package enum Device: String, CaseIterable, Sendable {
    case iPhone = "iphone"
    case android
    case mac
    case other

    package init(userAgent: String) {
        self =
            if userAgent.contains("iPhone") || userAgent.contains("iPad") || userAgent.contains("iPod") { .iPhone }
            // Newer iPads describe themselves as a Mac; the foot of the page has links for such cases.
            else if userAgent.contains("Android") { .android } else if userAgent.contains("Macintosh") { .mac } else {
                .other
            }
    }

    /// For messages.
    package var name: String {
        switch self {
        case .iPhone: "iPhone"
        case .android: "Android phone"
        case .mac: "Mac"
        case .other: "computer"
        }
    }

    /// For a link to what the page offers it.
    var title: String {
        switch self {
        case .iPhone: "iPhone, iPad"
        case .android: "Android"
        case .mac: "Mac"
        case .other: "other computers"
        }
    }
}
