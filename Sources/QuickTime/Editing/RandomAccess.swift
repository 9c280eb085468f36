import Bytes

extension MovieReader {
    /// Whether decoding of a video can begin with a sample, according to its NAL units: an IDR picture or a recovery point
    /// of H.264 (ITU-T H.264, D.2.8), an IRAP picture of HEVC (ITU-T H.265, table 7-1).
    ///
    /// Some writers mark every sample as a sync sample, or none.
    ///
    /// - Throws: `Errno` of pread(2); `CancellationError`.
    func isRandomAccessPoint(at offset: Int, size: Int, in format: RandomAccessFormat) throws -> Bool {
        var (place, end) = (offset, offset + size)
        end = min(end, file.size)
        for _ in 0..<MovieLimits.unitsOfPicture where place < end {
            let head = try file.bytes(at: place, count: min(format.lengthSize + 64, end - place))
            guard head.count > format.lengthSize else { return false }
            let length = head.prefix(format.lengthSize).reduce(0) { $0 << 8 | Int($1) }
            let unit = Array(head.dropFirst(format.lengthSize).prefix(length))
            if let answer = format.isRandomAccess(unit) { return answer }
            place += format.lengthSize + length
        }
        return false
    }
}

/// How the NAL units of a video are stored.
struct RandomAccessFormat {
    private let isHEVC: Bool
    /// Bytes of a NAL unit's length.
    let lengthSize: Int

    /// - Returns: nil for other codecs, and if the configuration cannot be read.
    init?(_ track: Track) {
        let descriptions = track.box.media.information.sampleTable.descriptions
        guard let entry = try? descriptions.firstEntry(as: VisualSampleEntry.self) else { return nil }
        if let configuration = entry.configuration {
            (isHEVC, lengthSize) = (false, configuration.lengthSize)
        } else if let box = entry.others.first(where: { $0.type == HEVCConfiguration.type }),
            let sets = try? HEVCParameterSets(box)
        {
            (isHEVC, lengthSize) = (true, sets.lengthSize)
        } else {
            return nil
        }
    }

    /// - Parameter unit: the first bytes of a NAL unit.
    /// - Returns: nil if the unit does not decide.
    func isRandomAccess(_ unit: [UInt8]) -> Bool? {
        guard let first = unit.first else { return nil }
        if isHEVC {
            // Slices have types below 32, those of IRAP pictures 16 to 23.
            let type = first >> 1 & 0x3F
            return type < 32 ? (16...23).contains(type) : nil
        }
        let header = NALUnitHeader(first)
        if header.type.isSlice { return header.type == .idrSlice }
        return header.type == .supplementalInformation && Self.isRecoveryPoint(unit.dropFirst()) ? true : nil
    }

    /// Whether SEI messages hold a recovery point at which the picture is correct at once. Those after the first bytes of
    /// the unit are not found; encoders write it first.
    private static func isRecoveryPoint(_ messages: ArraySlice<UInt8>) -> Bool {
        let recoveryPoint = 6
        var rest = messages
        func number() -> Int? {
            var value = 0
            while let byte = rest.popFirst() {
                value += Int(byte)
                if byte != 0xFF { return value }
            }
            return nil
        }
        while let type = number(), let size = number() {
            // recovery_frame_cnt is 0 if its Exp-Golomb code is the bit 1.
            if type == recoveryPoint { return rest.first.map { $0 & 0x80 != 0 } ?? false }
            rest = rest.dropFirst(size)
        }
        return false
    }
}
