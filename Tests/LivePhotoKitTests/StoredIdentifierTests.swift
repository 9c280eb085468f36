import LivePhotoKit
import MediaModel
import Testing

/// Content identifiers as files store them.
@Suite struct StoredIdentifierTests {
    private static let capital = "0F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13"

    @Test(arguments: [
        (capital, capital, true), (capital, capital.lowercased(), true),
        (capital, "0f3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13", true), ("ab", "AB", true), ("", "", true),
        (capital, "1F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13", false),
        (capital, "0F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F14", false),
        (capital, "0F3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F1", false), (capital, "\(capital)0", false),
        (capital, "0F3C2D1E058A4-4C7B-9E21-0B7D5A8E4F13", false),
        (capital, "GF3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13", false),
        ("00000000-0000-0000-0000-000000000000", "", false),
    ])
    func `spellings that differ only in case mean one pair, and others do not`(
        one: String, other: String, areEqual: Bool
    ) {
        let (one, other) = (StoredIdentifier(FileText(one)), StoredIdentifier(FileText(other)))
        #expect((one == other) == areEqual && (Set([one, other]).count == 1) == areEqual)
    }

    @Test(arguments: [capital, capital.lowercased(), "0f3C2D1E-58A4-4C7B-9E21-0B7D5A8E4F13", "x", ""])
    func `an identifier is shown as the file spells it`(text: String) {
        #expect(StoredIdentifier(FileText(text)).text == FileText(text))
    }
}
