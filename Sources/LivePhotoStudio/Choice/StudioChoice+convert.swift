import LivePhotoBatch
import LivePhotoKit
package import LivePhotoRequests
package import SystemPackage

extension StudioChoice {
    /// The conversions of a clip: one, or one for each still time.
    ///
    /// - Throws: `LivePhotoError` for what cannot be chosen.
    package func requests(of clip: FilePath, to output: FilePath, _ presets: StudioPresets) throws(LivePhotoError)
        -> [ConversionRequest]
    {
        var request = ConversionRequest(
            clip: clip, outputDirectory: output, preset: try presets.preset(named: preset))
        guard stills.count < 2 || [Setting.still, .start, .end].allSatisfy({ settings[$0.optionName] == nil }) else {
            throw Self.failure(.still, "several Live Photos have no other still, start or end")
        }
        let given = try given()
        request.work.requestedTimes = try request.preset.replace(given, failure: Self.failure)
        if flags.contains(.noAudio) { request.preset.audio.mode = .discard }
        if flags.contains(.noLocation) {
            request.preset.metadata = request.preset.metadata.leavingOutLocation
        }
        if flags.contains(.noMetadata) { request.preset.metadata = .discard }
        request.name = name
        request.captureDate = try requestedDate()
        request.replacesExisting = flags.contains(.force)
        guard stills.count > 1 else { return [request] }
        guard stills.count <= Self.mostStills else {
            throw LivePhotoError(
                .invalidRequest, nil, "at most \(Self.mostStills) Live Photos are made of a clip at a time")
        }
        return request.each(
            of: try stills.map { (text) throws(LivePhotoError) in
                guard let still = RequestedStill(text: text), still != .best else {
                    throw Self.failure(.still, "\(quoted(text)) is no time")
                }
                return (text, still)
            })
    }

    /// The command that makes the same Live Photos.
    ///
    /// - Parameters:
    ///   - clip: as it was written.
    ///   - output: as it was written.
    package func convertCommand(_ clip: FilePath, to output: FilePath, _ presets: StudioPresets) throws(LivePhotoError)
        -> String
    {
        var command = CommandText("convert")
        command.add(clip)
        let preset = try presets.preset(named: preset).name
        if preset != PresetLibrary.defaultName { command.add("preset", preset) }
        if stills.count > 1 { command.add("still", stills.joined(separator: ",")) }
        command.add(try given())
        command.add("no-audio", if: flags.contains(.noAudio))
        command.add("no-location", if: flags.contains(.noLocation))
        command.add("no-metadata", if: flags.contains(.noMetadata))
        command.add("date", date)
        command.add("name", name)
        command.add("force", if: flags.contains(.force))
        command.add(output: output)
        return command.text
    }
}
