package import LivePhotoKit
import LivePhotoRequests
package import SystemPackage

extension StudioChoice {
    /// What an edit changes.
    ///
    /// - Throws: `LivePhotoError` for what cannot be chosen.
    func recipe() throws(LivePhotoError) -> EditRecipe {
        let switches: [(EditRecipe.Switch, Flag)] = [(.noAudio, .noAudio), (.newKeyPhoto, .newKeyPhoto)]
        let recipe = EditRecipe(
            try given().map { ($0.setting, $0.text) }, Set(switches.filter { flags.contains($0.1) }.map(\.0)))
        _ = try recipe.applied(to: .wholeMovie, failure: Self.failure)
        return recipe
    }

    /// - Parameters:
    ///   - output: the folder of copies.
    ///   - keepsHEIC: whether HEICs whose pictures change can be encoded as HEICs again.
    /// - Throws: `LivePhotoError` for what cannot be chosen.
    func editSettings(to output: FilePath, keepsHEIC: Bool) throws(LivePhotoError) -> EditSettings {
        let isInPlace = flags.contains(.inPlace)
        var settings = EditSettings(
            try recipe(), to: isInPlace ? .inPlace : .directory(output, replacesExisting: flags.contains(.force)))
        settings.name = isInPlace ? nil : name
        settings.captureDate = try requestedDate()
        settings.keepsHEIC = keepsHEIC
        guard !settings.recipe.isEmpty || settings.captureDate != nil else {
            throw LivePhotoError(.invalidRequest, nil, "nothing is changed yet")
        }
        return settings
    }

    /// The command that makes the same edit.
    ///
    /// - Parameter photo: or the container, as it was written.
    package func editCommand(_ photo: FilePath, to output: FilePath) throws(LivePhotoError) -> String {
        var command = CommandText("edit")
        command.add(photo)
        command.add(try given())
        command.add("no-audio", if: flags.contains(.noAudio))
        command.add("new-key-photo", if: flags.contains(.newKeyPhoto))
        command.add("date", date)
        if flags.contains(.inPlace) {
            command.add("in-place", if: true)
        } else {
            command.add("name", name)
            command.add("force", if: flags.contains(.force))
            command.add(output: output, isRequired: true)
        }
        return command.text
    }
}
