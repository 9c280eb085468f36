import Bytes
import Digests
import Foundation
import LivePhotoBatch
import MediaModel
import SystemPackage
import TestSupport
import Testing

/// Journals of earlier runs hold these digests and identifiers, so no version may compute others.
@Suite struct DigestTests {
    @Test(arguments: [
        // FIPS 180-2, appendix B, and the empty text.
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            LongText(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
        // Longer than what is read at a time.
        (
            LongText(repeating: "a", count: 3_000_001),
            "71b1401c2645810a611615bae0fce7b308f0ed904a54af8ec8be0fe435581611"
        ),
    ])
    func `a file and a text have the SHA-256 of the standard`(text: LongText, digest: String) throws {
        #expect(Digest.sha256(text.text) == digest)
        let folder = try TemporaryFolder(["file": text.text])
        #expect(try Digest.sha256(InputFile(folder.path.appending("file"))) == digest)
    }

    /// RFC 4231, 4.2 to 4.7, without the shortened one.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `a message has the code of the standard, also in parts, and after another one`(
        key: [UInt8], message: [UInt8], code: String
    ) {
        var computed = MessageCode(key: key)
        computed.update(message)
        #expect(hexadecimal(computed.finish()) == code)
        for part in [message.prefix(3), message.dropFirst(3)] { computed.update(Array(part)) }
        #expect(hexadecimal(computed.finish()) == code)
    }

    @Test(arguments: [
        ("", "5673A666-C178-5AE6-9F8A-4A7BF454E3DD"),
        ("abc", "D1EE26D1-CF6E-5E95-9150-DCA7BA0F79DB"),
        (String(repeating: "é", count: 100), "BD97C8AA-B3C9-52F6-95DD-95FEEF3EDCC8"),
    ])
    func `an identifier made from a key is the UUID of version 5 in the program's namespace`(
        key: String, identifier: String
    ) {
        #expect(ContentIdentifier(derivedFrom: key)?.string == identifier)
    }
}
