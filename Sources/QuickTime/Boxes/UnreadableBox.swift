package import Bytes
import ISOBMFF

/// A box of a known type that cannot be read.
package struct UnreadableBox: Sendable, Hashable {
    package let type: FourCC
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
            self.error = error
        }
    }
}
