package import Bytes

extension AVCConfigurationBox {
    /// The configuration of a stream with these parameter sets.
    ///
    /// - Parameter annexB: NAL units between start codes, such as libavcodec's `extradata` of libx264. Other units,
    ///   such as x264's SEI with its settings, are left out.
    /// - Throws: `.missing` without a sequence and a picture parameter set; `.overLimit` when a set does not fit.
    package init(annexB: Span<UInt8>) throws(ParseError) {
        let structure = "H.264 parameter sets"
        var (sequenceSets, pictureSets): ([[UInt8]], [[UInt8]]) = ([], [])
        for range in try AnnexB.units(in: annexB, structure: structure) {
            var writer = ByteWriter()
            writer.append(annexB.extracting(range))
            switch NALUnitHeader(annexB[range.lowerBound]).type {
            case .sequenceParameterSet: sequenceSets.append(writer.bytes)
            case .pictureParameterSet: pictureSets.append(writer.bytes)
            default: continue
            }
        }
        guard let first = sequenceSets.first, !pictureSets.isEmpty else {
            throw ParseError(.missing, in: structure, at: 0, expected: "a sequence and a picture parameter set")
        }
        guard sequenceSets.count < 32, pictureSets.count < 256,
            (sequenceSets + pictureSets).allSatisfy({ $0.count <= UInt16.max })
        else { throw ParseError(.overLimit, in: structure, at: 0, expected: "parameter sets that fit into avcC") }
        var reader = SequenceParameterSet.reader(first)
        let set = try SequenceParameterSet(from: &reader)
        self.init(
            profile: set.profile, constraints: set.constraints, level: set.level, sequenceParameterSets: sequenceSets,
            pictureParameterSets: pictureSets)
        if !Self.lowProfiles.contains(set.profile) {
            highProfile = HighProfile(
                chromaFormat: set.chromaFormat, lumaBitDepth: set.lumaBitDepth, chromaBitDepth: set.chromaBitDepth)
        }
    }
}
