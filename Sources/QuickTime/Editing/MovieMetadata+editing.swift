import Bytes
import ISOBMFF
import MediaModel

/// Texts in `moov/meta`, set and removed without changing other boxes.
extension [OpaqueBox] {
    /// Sets a text in the first `meta` with keys and removes it from the others. A `meta` with another handler stays
    /// unchanged after the one with keys, which readers select by its handler.
    mutating func set(_ key: MetadataKey, _ text: FileText) throws {
        let item = MetadataItem(key: key, value: .text(text))
        try gatherMetadata()
        var keyed: Int?
        for index in indices {
            guard let metadata = self[index].keyedMetadata else { continue }
            try self[index].update(metadata) { changed in
                // A key listed twice would keep its second value.
                let count = metadata.keys?.keys.count { $0 == key } ?? 0
                if keyed != nil || count > 1 { changed.remove(key) }
                if keyed == nil, changed.items.filter({ $0.key == key }) != [item] { changed.set(item) }
            }
            keyed = keyed ?? index
        }
        let first = firstIndex(of: MetadataBox.type)
        guard let keyed else {
            insert(OpaqueBox(writing: MetadataBox(items: [item])), at: first ?? count)
            return
        }
        // Readers that expect one `meta` use the first.
        if let first, first < keyed { insert(remove(at: keyed), at: first) }
    }

    /// Removes what links the movie to a photo: the content identifier, and a still image time, which some programs write
    /// here. A `meta` that holds nothing else is removed too. Its handler does not matter, nor does it where they are read.
    mutating func removeLink() throws {
        let link: [MetadataKey] = [.contentIdentifier, .stillImageTime]
        func isLinked(_ metadata: MetadataBox) -> Bool { link.contains { metadata.keys?.keys.contains($0) == true } }
        try gatherMetadata(where: isLinked)
        for index in indices.reversed() {
            guard let metadata = self[index].metadata, isLinked(metadata) else { continue }
            var rest = metadata
            for key in link { rest.remove(key) }
            if rest.keys?.keys.isEmpty == true, rest.itemList?.items.isEmpty != false, rest.others.isEmpty {
                remove(at: index)
            } else {
                try self[index].update(metadata) { $0 = rest }
            }
        }
    }

    /// Moves the boxes that follow an empty `meta`, as in some camera movies, into it.
    private mutating func gatherMetadata(where condition: (MetadataBox) -> Bool = \.isKeyed) throws {
        guard let index = firstIndex(of: MetadataBox.type), self[index].payload.allSatisfy({ $0 == 0 }),
            let handler = firstIndex(of: HandlerBox.type)
        else { return }
        let types = [HandlerBox.type, MetadataKeysBox.type, MetadataItemListBox.type]
        let places = [handler] + types.dropFirst().compactMap { firstIndex(of: $0) }
        var gathered = self[index]
        gathered.payload = places.flatMap { self[$0].bytes }
        guard let metadata = gathered.metadata, condition(metadata) else { return }
        self[index] = gathered
        for place in places.sorted(by: >) { remove(at: place) }
    }
}

extension MetadataBox {
    /// Whether it has keys and values, as its handler says.
    fileprivate var isKeyed: Bool { handler.map { $0.subtype == HandlerBox.metadata.subtype } ?? (keys != nil) }
}

extension OpaqueBox {
    /// The box as `meta`; nil if it is another box.
    fileprivate var metadata: MetadataBox? {
        var reader = self.reader
        return type == MetadataBox.type ? try? MetadataBox(from: &reader) : nil
    }

    /// The box as `meta` of keys and values; nil if it is another box.
    var keyedMetadata: MetadataBox? { metadata.flatMap { $0.isKeyed ? $0 : nil } }

    /// Changes keys and values of a `meta`, which then has QuickTime's form.
    fileprivate mutating func update(_ metadata: MetadataBox, _ change: (inout MetadataBox) -> Void) throws {
        var changed = metadata
        change(&changed)
        guard changed != metadata else { return }
        if metadata.form == .iso { payload.removeFirst(4) }
        try editBoxes { boxes in
            if metadata.handler == nil, let handler = changed.handler {
                boxes.insert(OpaqueBox(writing: handler), at: 0)
            }
            if changed.keys != metadata.keys { boxes.replace(changed.keys) }
            if changed.itemList != metadata.itemList { boxes.replace(changed.itemList) }
        }
    }
}

extension [OpaqueBox] {
    fileprivate mutating func replace(_ box: (some Box)?) {
        guard let box else { return }
        if let index = firstIndex(of: box.type) {
            self[index] = OpaqueBox(writing: box)
        } else {
            append(OpaqueBox(writing: box))
        }
    }
}
