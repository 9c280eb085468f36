import LivePhotoKit

/// What is to be shared.
package struct ShareOrder: Codable, Sendable {
    package struct Item: Codable, Sendable {
        /// For people, and for the names of what is fetched; without an extension.
        package let name: String
        package let photo: PathText
        package let movie: PathText

        package init(name: String, _ pair: PairPaths) {
            (self.name, photo, movie) = (name, PathText(pair.photo), PathText(pair.movie))
        }

        package var pair: PairPaths { PairPaths(photo: photo.path, movie: movie.path) }
    }

    package let items: [Item]
    /// An IP address or the name of an interface; nil for that by which this machine reaches others.
    package var address: String?
    /// 0 for one that is free.
    package var port = 0
    package var usesTLS = false
    /// Seconds without a request after which sharing ends; nil to go on, also after everything was fetched.
    package var seconds: Int?
    /// Whether each request is reported, also of those that are refused.
    package var reportsRequests = false
    /// They make copies for other phones and browsers.
    package var decoders = DecoderSettings()

    package init(_ items: [Item]) { self.items = items }
}
