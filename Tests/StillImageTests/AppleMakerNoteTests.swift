import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct AppleMakerNoteTests {
    @Test func `the smallest note is the 69 bytes of the format's description`() throws {
        let note = AppleMakerNote(contentIdentifier: try #require(ContentIdentifier(identifier)))
        #expect(note.bytes == minimalNote)
        #expect(note.bytes.count == 69)
        #expect(try AppleMakerNote(from: reader(minimalNote)) == note)
    }

    @Test func `a little-endian note is read too`() throws {
        let note =
            hex("4170706c6520694f5300 0001 4949 0100 1100 0200 25000000 20000000 00000000")
            + Array(identifier.utf8) + [0]
        #expect(try AppleMakerNote(from: reader(note)).contentIdentifier() == FileText(identifier))
    }

    @Test func `the identifier is found among the fields of a device's note, and replaced without losing them`() throws
    {
        let note =
            hex("4170706c6520694f5300 0001 4d4d 0005")
            + hex("0001 0009 00000001 0000000f")  // version
            + hex("0011 0002 00000025 00000050")
            + hex("0014 0009 00000001 0000000c")  // kind of capture
            + hex("0017 0010 00000001 00000078")  // an 8-byte number of type 16
            + hex("0025 0063 00000001 ffffffff")  // a type that nobody knows
            + hex("00000000")
            + Array(identifier.lowercased().utf8) + [0, 0, 0, 0] + hex("0000000012345678")
        var read = try AppleMakerNote(from: reader(note))
        #expect(try read.contentIdentifier() == FileText(identifier.lowercased()))
        let new = ContentIdentifier()
        read.setContentIdentifier(new)
        let again = try AppleMakerNote(from: reader(read.bytes))
        #expect(try again.contentIdentifier() == FileText(new.string))
        #expect(again.fields[TIFFTag(rawValue: 0x01)]?.data == [0, 0, 0, 15])
        #expect(again.fields[TIFFTag(rawValue: 0x14)]?.data == [0, 0, 0, 12])
        #expect(again.fields[TIFFTag(rawValue: 0x17)]?.data == hex("0000000012345678"))
        #expect(again.fields.fields.count == 4)
    }

    @Test func `a note cut off anywhere throws`() {
        for count in 0..<minimalNote.count {
            #expect(throws: ParseError.self, "cut to \(count) bytes") {
                _ = try AppleMakerNote(from: reader(Array(minimalNote.prefix(count)))).contentIdentifier()
            }
        }
    }

    @Test func `another maker's note is not taken for one of Apple's`() {
        let nikon = Array("Nikon\0".utf8) + hex("0210 0000 4d4d 002a 00000008")
        #expect(!AppleMakerNote.isApple(nikon))
        let error = #expect(throws: ParseError.self) { _ = try AppleMakerNote(from: reader(nikon)) }
        #expect(error?.code == .invalidValue)
    }

    /// Found by libFuzzer: the identifier was written over the header of the note.
    @Test(arguments: ["00000000", "0000000a", "00000020", "00000039"])
    func `an identifier that shares its bytes is not replaced there`(offset: String) throws {
        let note =
            hex("4170706c6520694f5300 0001 4d4d 0002") + hex("0011 0002 00000025") + hex(offset)
            + hex("0015 0002 00000025 00000040 00000000") + [0, 0] + Array(identifier.utf8) + [0]
            + Array(identifier.utf8)
        let new = ContentIdentifier()
        let set = try AppleMakerNote(from: reader(AppleMakerNote.setting(new, in: note)))
        #expect(try set.contentIdentifier() == FileText(new.string))
        #expect(
            set.fields[TIFFTag(rawValue: 0x15)]
                == (try AppleMakerNote(from: reader(note))).fields[TIFFTag(rawValue: 0x15)])
        let rest = try #require(try AppleMakerNote.removingContentIdentifier(from: note))
        #expect(try AppleMakerNote(from: reader(rest)).contentIdentifier() == nil)
        #expect(try AppleMakerNote(from: reader(rest)).fields.fields.count == 1)
    }
}
