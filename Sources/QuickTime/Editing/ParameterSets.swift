import Bytes

/// Sample entries whose parameter sets may be in the stream (`hev1`, `avc3`) converted to those that hold all of them
/// (`hvc1`, `avc1`; ISO/IEC 14496-15, 5.4.2 and 8.4.1): Apple's decoders look for them there. The samples keep theirs,
/// which every decoder accepts.
enum ParameterSets {
    private static let completeTypes: [FourCC: FourCC] = ["avc3": "avc1", "hev1": "hvc1", "dvhe": "dvh1"]

    /// Whether a box holds the parameter sets.
    static func isConfiguration(_ box: OpaqueBox) -> Bool {
        box.type == AVCConfigurationBox.type || box.type == HEVCConfiguration.type
    }

    /// - Parameters:
    ///   - entry: an entry of `stsd`.
    ///   - sample: the first key frame, read only if it is needed.
    /// - Throws: `MovieEditError.noParameterSets` if there are none.
    static func complete(_ entry: inout OpaqueBox, of track: Track, sample: () throws -> [UInt8]) throws {
        guard let type = completeTypes[entry.type] else { return }
        try entry.editBoxes(after: VisualSampleEntry.fieldsSize) { boxes in
            guard let index = boxes.firstIndex(where: isConfiguration) else {
                throw MovieEditError.noParameterSets(trackID: track.id)
            }
            let isComplete =
                boxes[index].type == AVCConfigurationBox.type
                ? try completeAVC(&boxes[index], sample: sample) : try completeHEVC(&boxes[index], sample: sample)
            guard isComplete else { throw MovieEditError.noParameterSets(trackID: track.id) }
        }
        entry.type = type
    }

    private static func completeAVC(_ box: inout OpaqueBox, sample: () throws -> [UInt8]) throws -> Bool {
        var reader = box.reader
        let old = try AVCConfigurationBox(from: &reader)
        guard old.sequenceParameterSets.isEmpty || old.pictureParameterSets.isEmpty else { return true }
        var stream = ByteWriter()
        for unit in try units(of: sample(), lengthSize: old.lengthSize) {
            stream.append([0, 0, 1])
            stream.append(unit)
        }
        guard var new = try? AVCConfigurationBox(annexB: stream.bytes.span) else { return false }
        new.lengthSize = old.lengthSize
        box = OpaqueBox(writing: new)
        return true
    }

    private static func completeHEVC(_ box: inout OpaqueBox, sample: () throws -> [UInt8]) throws -> Bool {
        var sets = try HEVCParameterSets(box)
        let missing = sets.missing
        if !missing.isEmpty {
            let found = try units(of: sample(), lengthSize: sets.lengthSize)
            for kind in missing {
                guard sets.set(found.filter { HEVCParameterSets.Kind(unit: $0) == kind }, of: kind) else {
                    return false
                }
            }
        }
        box.payload = sets.complete
        return true
    }

    /// The NAL units of a sample, none of them empty, up to the first that is cut off.
    private static func units(of sample: [UInt8], lengthSize: Int) throws -> [[UInt8]] {
        var reader = ByteReader(sample, structure: "key frame")
        var units: [[UInt8]] = []
        while reader.remaining > lengthSize {
            let length = try reader.bytes(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            guard length <= reader.remaining else { break }
            if length > 0 { units.append(try reader.bytes(length)) }
        }
        return units
    }
}
