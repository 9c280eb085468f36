import Bytes
import LivePhotoKit

/// `latest.json`: what is shared, for programs and Shortcuts.
struct LatestDocument: Encodable {
    private struct Item: Encodable {
        let name: String
        let pvtZip: String
        let zip: String
        let motionPhoto: String
    }

    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    private let count: Int
    /// All Live Photos in one archive.
    private let pvtZip: String
    private let zip: String
    /// Of the photo that was changed last; nil if there is none.
    private let latest: String?
    private let items: [Item]

    /// - Parameter address: with the token.
    init(_ items: [SharedLibrary.Item], at address: String) {
        count = items.count
        pvtZip = address + SharePath.allBundles
        zip = address + SharePath.allFiles
        func age(_ item: SharedLibrary.Item) -> Int64 {
            (try? FileTimes(of: item.pair.photo))?.modification.nanosecondsSince1970 ?? 0
        }
        latest = items.max { age($0) < age($1) }.map { address + SharePath.bundle($0.index) }
        self.items = items.map {
            Item(
                name: $0.name, pvtZip: address + SharePath.bundle($0.index), zip: address + SharePath.files($0.index),
                motionPhoto: address + SharePath.motionPhoto($0.index))
        }
    }
}
