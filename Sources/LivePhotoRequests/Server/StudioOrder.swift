import LivePhotoKit

/// What the studio may work with.
package struct StudioOrder: Codable, Sendable {
    /// Clips, Live Photos, and folders of them, as they were written.
    package let inputs: [PathText]
    /// The folder of what is made, as it was written.
    package let output: PathText
    /// The presets that can be chosen.
    package let presets: [Preset]
    /// The name of the one that is chosen at first.
    package let preset: String
    /// 0 for a port that is free.
    package var port = 0
    /// Seconds after the last window was closed until the studio ends; nil to go on.
    package var seconds: Int?
    package var decoders = DecoderSettings()

    package init(_ inputs: [PathText], output: PathText, presets: [Preset], preset: String) {
        (self.inputs, self.output, self.presets, self.preset) = (inputs, output, presets, preset)
    }
}

/// What the studio tells the program that started it.
package enum StudioEvent: ServerEvent {
    /// A window can be opened at this address, once.
    case listening(address: ShownText)
    case opened
    /// A Live Photo was made or changed.
    case made(photo: PathText, movie: PathText)
    /// The last window was closed.
    case ended
    case failed(ReportedError)

    package var failure: ReportedError? { if case .failed(let error) = self { error } else { nil } }
}
