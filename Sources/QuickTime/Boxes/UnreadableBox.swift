package import ISOBMFF

/// A box of a known type that cannot be read.
package struct UnreadableBox: Sendable, Hashable {
    package let type: FourCC
    /// Where in the file its payload begins.
    package let payloadOffset: Int
    package let error: ParseError

    /// Nil if the box can be read.
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
