package import ISOBMFF

/// A box that says what it should be, and is not.
package struct UnreadableBox: Sendable, Hashable {
    package let type: FourCC
    /// Where in the file its payload begins.
    package let payloadOffset: Int
    package let error: ParseError

    /// Nil where the box can be read as what it should be.
    init?<Value: Box>(_ box: OpaqueBox, as _: Value.Type) {
        do throws(ParseError) {
            var reader = box.reader
            _ = try Value(from: &reader)
            try reader.finishPadded()
            return nil
        } catch {
            type = box.type
            payloadOffset = box.fileOffset
            self.error = error
        }
    }
}
