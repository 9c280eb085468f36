import Bytes
import ISOBMFF
import QuickTime
import TestSupport
import Testing

/// Reads a box and nothing else from `bytes`, header included.
func readBox<Value: Box>(_: Value.Type = Value.self, _ bytes: [UInt8]) throws -> Value {
    var reader = ByteReader(bytes, structure: "test")
    let child = try #require(try reader.nextBox())
    try reader.finish()
    #expect(child.type == Value.type)
    return try child.read()
}

func bytes(of box: some Box) -> [UInt8] {
    var writer = ByteWriter()
    writer.box(box)
    return writer.bytes
}

/// Checks that a box is read from `payload`, written as the same bytes, and read back as the same value; and that
/// every shorter payload is an error or a box that is written and read back the same.
@discardableResult
func checkRoundTrip<Value: Box>(
    _: Value.Type = Value.self, payload: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
    let whole = box(Value.type, payload)
    let value = try readBox(Value.self, whole)
    #expect(bytes(of: value) == whole, sourceLocation: sourceLocation)
    for count in payload.indices {
        guard let cut = try? readBox(Value.self, box(Value.type, Array(payload.prefix(count)))) else { continue }
        var reader = ByteReader(bytes(of: cut), structure: "test")
        let child = try #require(try reader.nextBox(), sourceLocation: sourceLocation)
        #expect(try child.read(Value.self) == cut, "cut to \(count) bytes", sourceLocation: sourceLocation)
    }
    return value
}

/// Checks that every shorter payload is an error.
func checkTruncation<Value: Box>(
    _: Value.Type = Value.self, payload: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    for count in payload.indices {
        #expect(throws: ParseError.self, "cut to \(count) bytes", sourceLocation: sourceLocation) {
            try readBox(Value.self, box(Value.type, Array(payload.prefix(count))))
        }
    }
}
