import Bytes
import MediaModel

/// The `colr` of video that has none. Devices always write one, and Apple's readers prefer it to the stream.
enum VideoColor {
    private static let fieldsSize = 78
    private static let avcTypes: Set<FourCC> = ["avc1", "avc3"]
    private static let hevcTypes: Set<FourCC> = ["hvc1", "hev1"]

    /// Adds the colours that the stream (VUI) states or, if it states none, those that players assume. Video whose
    /// parameter sets cannot be read stays unchanged.
    ///
    /// - Parameter entry: an entry of `stsd` with its parameter sets.
    static func complete(_ entry: inout OpaqueBox) throws {
        let isAVC = avcTypes.contains(entry.type)
        guard isAVC || hevcTypes.contains(entry.type), entry.payload.count >= fieldsSize else { return }
        let size = PixelSize(
            width: Int(entry.payload[24]) << 8 | Int(entry.payload[25]),
            height: Int(entry.payload[26]) << 8 | Int(entry.payload[27]))
        try entry.editBoxes(after: fieldsSize) { boxes in
            guard boxes.firstIndex(of: ColorBox.type) == nil,
                let index = boxes.firstIndex(of: isAVC ? AVCConfigurationBox.type : HEVCConfiguration.type)
            else { return }
            let told: ColorDescription?
            do {
                told = try isAVC ? colorOfAVC(boxes[index]) : colorOfHEVC(boxes[index])
            } catch {
                return
            }
            let color = (told ?? .untagged).completed(forSize: size)
            boxes.insert(OpaqueBox(writing: ColorBox(.quickTime(color))), at: index + 1)
        }
    }

    private static func colorOfAVC(_ box: OpaqueBox) throws -> ColorDescription? {
        var reader = box.reader
        guard let set = try AVCConfigurationBox(from: &reader).sequenceParameterSets.first else {
            throw reader.error(.missing, expected: "a sequence parameter set")
        }
        return try SequenceParameterSet.color(in: set)
    }

    private static func colorOfHEVC(_ box: OpaqueBox) throws -> ColorDescription? {
        guard let set = try HEVCParameterSets(box).units(of: .sequence).first else {
            throw box.reader.error(.missing, expected: "a sequence parameter set")
        }
        return try HEVCSequenceParameterSet.color(in: set)
    }
}
