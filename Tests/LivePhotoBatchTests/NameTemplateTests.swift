import LivePhotoBatch
import LivePhotoKit
import SystemPackage
import Testing

/// Names with placeholders, in job files and of `convert --name`.
@Suite struct NameTemplateTests {
    @Test(arguments: [
        ("beach", "beach"), ("{stem}", "VID_20250912_103000"), ("{folder}-{extension}", "in-mp4"),
        ("{stem}-{index}", "VID_20250912_103000-7"), ("{date}", "2025-09-12"),
        ("{date:%Y%m%d_%H%M%S}", "20250912_103000"),
        ("{date:at %H}{index}{", "at 107{"), ("a}b", "a}b"),
    ])
    func `placeholders are replaced by what is known of the input`(_ template: String, _ text: String) throws {
        let template = try NameTemplate(template)
        #expect(try template.text(for: "in/VID_20250912_103000.mp4", index: 7) == text)
    }

    @Test(arguments: ["{stam}", "{}", "{date:}", "{date:today}", "{date:%Y/%m}", "{date:%q}", "{Index}"])
    func `what is no placeholder is an error`(_ template: String) {
        let error = #expect(throws: LivePhotoError.self) { try NameTemplate(template) }
        #expect(
            error?.reason
                == "'\(template)' is not a placeholder; use {stem}, {folder}, {extension}, {index} or {date:%Y-%m-%d}")
    }

    @Test func `a date that nothing tells is an error about the input`() throws {
        let template = try NameTemplate("{date}")
        let error = #expect(throws: LivePhotoError.self) { try template.text(for: "in/beach.mp4", index: 1) }
        #expect(error?.code == .noInput && error?.file == "in/beach.mp4")
    }
}
