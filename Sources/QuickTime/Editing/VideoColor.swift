import Bytes
import MediaModel

/// Adds `colr` to video that has none. Devices always write one, and Apple's readers prefer it to the stream.
enum VideoColor {
    private static let entryTypes: Set<FourCC> = ["avc1", "avc3", "hvc1", "hev1"]

    /// Adds the colours that the stream (VUI) states or, if it states none, those that players assume. Video whose
    /// parameter sets cannot be read stays unchanged.
    ///
    /// - Parameter entry: an entry of `stsd` with its parameter sets.
    static func complete(_ entry: inout OpaqueBox) throws {
        let fieldsSize = VisualSampleEntry.fieldsSize
        guard entryTypes.contains(entry.type), entry.payload.count >= fieldsSize else { return }
        let size = PixelSize(
            width: Int(entry.payload[24]) << 8 | Int(entry.payload[25]),
            height: Int(entry.payload[26]) << 8 | Int(entry.payload[27]))
        try entry.editBoxes(after: fieldsSize) { boxes in
            guard boxes.firstIndex(of: ColorBox.type) == nil,
                let index = boxes.firstIndex(where: ParameterSets.isConfiguration),
                let color = try? color(in: boxes[index])
            else { return }
            boxes.insert(OpaqueBox(writing: ColorBox(.quickTime(color.completed(forSize: size)))), at: index + 1)
        }
    }

    /// The colours that a box of parameter sets states.
    static func color(in configuration: OpaqueBox) throws -> ColorDescription {
        var reader = configuration.reader
        let isAVC = configuration.type == AVCConfigurationBox.type
        let set =
            isAVC
            ? try AVCConfigurationBox(from: &reader).sequenceParameterSets.first
            : try HEVCParameterSets(configuration).units(of: .sequence).first
        guard let set else { throw reader.error(.missing, expected: "a sequence parameter set") }
        return try (isAVC ? SequenceParameterSet.color(in: set) : HEVCSequenceParameterSet.color(in: set)) ?? .untagged
    }
}
