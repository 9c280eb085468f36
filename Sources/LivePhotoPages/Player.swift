/// The markup of `<live-photo>`, the element that `live-photo.js` defines.
package struct Player: Sendable {
    /// The JavaScript module, a file of its own for other pages.
    package static let script = String(decoding: PackageResources.live_photo_js, as: UTF8.self)

    /// The address of the photo, or `#` and the id of a block.
    package var photo: String?
    /// The address of the movie, or `#` and the id of a block.
    package var movie: String
    /// The still time in seconds.
    package var still: Double?
    /// The name of the Live Photo for users who cannot see it.
    package var alternative: String
    /// Reserves the space of the photo before it is loaded.
    package var size: (width: Int, height: Int)?
    package var playsOnHover = false
    package var isSilent = false

    package init(photo: String?, movie: String, still: Double?, alternative: String) {
        (self.photo, self.movie, self.still, self.alternative) = (photo, movie, still, alternative)
    }

    /// - Parameter content: markup that is shown without JavaScript, such as an `<img slot="photo">`.
    package func html(_ content: String = "") -> String {
        var attributes = [("movie", movie), ("alt", alternative)]
        if let photo { attributes.insert(("photo", photo), at: 0) }
        if let still { attributes.append(("still", "\(still)")) }
        if let size { attributes += [("width", "\(size.width)"), ("height", "\(size.height)")] }
        if playsOnHover { attributes.append(("hover", "")) }
        if isSilent { attributes.append(("silent", "")) }
        let text = attributes.map { " \($0.0)=\"\(HTML.attribute($0.1))\"" }.joined()
        return "<live-photo\(text)>\(content)</live-photo>"
    }

    /// The beginning of a data block, which Base64 and `blockEnd` follow. Browsers keep it as text that costs nothing until
    /// the player needs it; an address with the same data would be parsed at once.
    package static func blockStart(id: String, type: String) -> String {
        "<script type=\"\(type);base64\" id=\"\(id)\">"
    }

    package static let blockEnd = "</script>\n"
}
