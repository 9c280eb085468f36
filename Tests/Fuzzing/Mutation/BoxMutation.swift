import Bytes

/// A box whose size follows from its content.
private struct BoxPart {
    var type: [UInt8]
    /// Fields before the boxes, or all of the payload.
    var fields: [UInt8]
    var children: [BoxPart] = []

    var bytes: [UInt8] {
        let content = fields + children.flatMap(\.bytes)
        let size = UInt32(clamping: content.count + 8)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + type + content
    }
}

extension BoxPart {
    /// The number of bytes before the boxes in a box; `meta` and `keys` have two forms.
    private static let containers: [String: [Int]] = [
        "moov": [0], "trak": [0], "mdia": [0], "minf": [0], "stbl": [0], "dinf": [0], "edts": [0], "udta": [0],
        "mvex": [0], "moof": [0], "traf": [0], "tref": [0], "gmhd": [0], "wave": [0, 4], "ilst": [0], "iprp": [0],
        "ipco": [0], "meta": [4, 0], "iref": [4], "iinf": [6], "stsd": [8], "dref": [8], "keys": [0, 8], "mebx": [8],
        "setu": [0], "avc1": [78], "hvc1": [78], "mp4a": [28],
    ]
    private static let depthLimit = 12

    /// Nil unless the bytes are boxes up to their end, or up to `rest`.
    static func list(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> (boxes: [BoxPart], rest: ArraySlice<UInt8>) {
        var (rest, boxes) = (bytes, [BoxPart]())
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, size <= rest.count else { break }
            let type = Array(rest.dropFirst(4).prefix(4))
            let payload = rest.dropFirst(8).prefix(size - 8)
            boxes.append(BoxPart(type, payload, depth))
            rest = rest.dropFirst(size)
        }
        return (boxes, rest)
    }

    private init(_ type: [UInt8], _ payload: ArraySlice<UInt8>, _ depth: Int) {
        (self.type, fields) = (type, Array(payload))
        guard depth < Self.depthLimit else { return }
        for count in Self.containers[String(decoding: type, as: UTF8.self)] ?? [] where count <= payload.count {
            let (boxes, rest) = Self.list(payload.dropFirst(count), depth: depth + 1)
            guard rest.isEmpty, !boxes.isEmpty else { continue }
            (fields, children) = (Array(payload.prefix(count)), boxes)
            return
        }
    }

    /// Changes a box somewhere in a list.
    static func change(_ boxes: inout [BoxPart], _ random: inout FuzzRandom) {
        var inner = random
        _ = random.next(below: 2)
        changeList(&boxes, &random) { box in
            if !box.children.isEmpty, inner.next(below: 16) > 0 {
                change(&box.children, &inner)
            } else if inner.next(below: 16) == 0 {
                box.type = Array((inner.element(of: Array(containers.keys.sorted())) ?? "free").utf8)
            } else {
                box.fields = changed(box.fields)
            }
        }
    }
}

/// Nil for bytes that do not begin with boxes.
func boxesChanged(_ input: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
    var (boxes, rest) = BoxPart.list(input[...])
    guard !boxes.isEmpty else { return nil }
    // The description of a movie is worth more changes than its media.
    if let index = boxes.firstIndex(where: { !$0.children.isEmpty }), random.next(below: 4) > 0 {
        BoxPart.change(&boxes[index].children, &random)
    } else {
        BoxPart.change(&boxes, &random)
    }
    return boxes.flatMap(\.bytes) + rest
}
