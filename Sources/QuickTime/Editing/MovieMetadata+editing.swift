import ISOBMFF
import MediaModel

/// The content identifier in `moov/meta`, set and removed without changing other boxes.
extension [OpaqueBox] {
    /// Sets it in the first `meta` with keys and removes it from the others. A `meta` with another handler, which has
    /// no keys, stays unchanged after a new one: readers select the one with keys by its handler.
    ///
    /// - Parameter boxes: of `moov`.
    mutating func setContentIdentifier(_ identifier: ContentIdentifier) throws {
        try gatherMetadata()
        var isSet = false
        for index in indices where self[index].type == MetadataBox.type {
            guard let metadata = self[index].keyedMetadata else { continue }
            try self[index].update(metadata) { changed in
                // A key listed twice would keep its second value.
                if isSet || metadata.keys.map({ $0.keys.filter { $0 == .contentIdentifier }.count > 1 }) == true {
                    changed.remove(.contentIdentifier)
                }
                let item = MetadataItem(key: .contentIdentifier, value: .text(identifier.string))
                if !isSet, !(changed.items.filter { $0.key == .contentIdentifier } == [item]) { changed.set(item) }
            }
            isSet = true
        }
        if isSet {
            // Readers that expect one `meta` use the first.
            guard let keyed = firstIndex(where: { $0.type == MetadataBox.type && $0.keyedMetadata != nil }),
                let first = firstIndex(of: MetadataBox.type), first < keyed
            else { return }
            insert(remove(at: keyed), at: first)
            return
        }
        let metadata = MetadataBox(items: [MetadataItem(key: .contentIdentifier, value: .text(identifier.string))])
        insert(OpaqueBox(writing: metadata), at: firstIndex(of: MetadataBox.type) ?? count)
    }

    /// Removes it, and a `meta` that holds nothing else.
    mutating func removeContentIdentifier() throws {
        try gatherMetadata { $0.keys?.keys.contains(.contentIdentifier) == true }
        for index in indices.reversed() where self[index].type == MetadataBox.type {
            guard let metadata = self[index].keyedMetadata, metadata.keys?.keys.contains(.contentIdentifier) == true
            else { continue }
            var rest = metadata
            rest.remove(.contentIdentifier)
            if rest.keys?.keys.isEmpty == true, rest.itemList?.items.isEmpty != false, rest.others.isEmpty {
                remove(at: index)
            } else {
                try self[index].update(metadata) { $0 = rest }
            }
        }
    }

    /// Some camera movies have an empty `meta` followed by its children, which are moved into it.
    private mutating func gatherMetadata(where isWanted: (MetadataBox) -> Bool = { _ in true }) throws {
        guard let index = firstIndex(of: MetadataBox.type), self[index].payload.allSatisfy({ $0 == 0 }),
            let handler = firstIndex(of: HandlerBox.type)
        else { return }
        let types = [HandlerBox.type, MetadataKeysBox.type, MetadataItemListBox.type]
        let places = [handler] + types.dropFirst().compactMap { firstIndex(of: $0) }
        var writer = ByteWriter()
        for place in places { self[place].write(to: &writer) }
        var gathered = self[index]
        gathered.payload = writer.bytes
        guard let metadata = gathered.keyedMetadata, isWanted(metadata) else { return }
        self[index] = gathered
        for place in places.sorted(by: >) { remove(at: place) }
    }
}

extension OpaqueBox {
    private static let keyedHandler: FourCC = "mdta"

    /// The box read as `meta`, if it is one of keys and values.
    fileprivate var keyedMetadata: MetadataBox? {
        var reader = self.reader
        guard let metadata = try? MetadataBox(from: &reader) else { return nil }
        let isKeyed = metadata.handler.map { $0.subtype == Self.keyedHandler } ?? (metadata.keys != nil)
        return isKeyed ? metadata : nil
    }

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
