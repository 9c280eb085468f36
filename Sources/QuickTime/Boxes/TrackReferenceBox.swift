package import Bytes
import ISOBMFF

/// `tref`: the tracks that this one refers to (ISO/IEC 14496-12, 8.3.3). In `trak`.
package struct TrackReferenceBox: Box {
    package static var type: FourCC { "tref" }

    package struct Reference: Sendable, Hashable {
        /// The meaning of the reference, such as `cdsc`: this track describes the others.
        package var type: FourCC
        package var trackIDs: [UInt32]

        package init(type: FourCC, trackIDs: [UInt32]) {
            self.type = type
            self.trackIDs = trackIDs
        }
    }

    package var references: [Reference]
}

extension TrackReferenceBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        references = []
        while let child = try reader.nextBox() {
            var payload = child.payload
            let trackIDs = try payload.table(count: payload.remaining / 4, entrySize: 4) {
                (entry) throws(ParseError) in try entry.integer(UInt32.self)
            }
            try payload.finishPadded()
            references.append(Reference(type: child.type, trackIDs: trackIDs))
        }
    }

    package func write(to writer: inout ByteWriter) {
        for reference in references {
            writer.box(reference.type) { box in
                for trackID in reference.trackIDs { box.integer(trackID) }
            }
        }
    }
}
