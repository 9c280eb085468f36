package import Bytes

/// The parameter sets in `hvcC`, after its 22 bytes of fields, by type (ISO/IEC 14496-15, 8.3.3.1).
package struct HEVCParameterSets: Sendable {
    /// nal_unit_type (ITU-T H.265, table 7-1).
    package enum Kind: UInt8, CaseIterable, Sendable {
        case video = 32
        case sequence = 33
        case picture = 34

        /// The type of a NAL unit, which is not empty; nil if it is not a parameter set.
        init?(unit: [UInt8]) { self.init(rawValue: HEVCNALUnitType(firstByte: unit[0]).rawValue) }
    }

    private struct Group: Sendable {
        /// array_completeness, a reserved bit, and the type.
        var header: UInt8
        var units: [[UInt8]]
    }

    private let fields: [UInt8]
    private var arrays: [Group] = []
    private let rest: [UInt8]

    /// Bytes of a NAL unit's length in the samples.
    var lengthSize: Int { Int(fields[21] & 3) + 1 }

    init(_ box: OpaqueBox) throws(ParseError) {
        var reader = box.reader
        fields = try reader.bytes(22)
        for _ in 0..<(try reader.integer(UInt8.self)) {
            let header = try reader.integer(UInt8.self)
            var units: [[UInt8]] = []
            for _ in 0..<(try reader.integer(UInt16.self)) {
                units.append(try reader.bytes(Int(try reader.integer(UInt16.self))))
            }
            arrays.append(Group(header: header, units: units))
        }
        rest = reader.rest()
    }

    /// The parameter sets of a stream, with the fields that follow from them.
    ///
    /// - Parameter annexB: NAL units between start codes, such as libavcodec's `extradata` of libx265. Other units are left
    ///   out.
    /// - Throws: `.missing` without a set of each type; `.overLimit` when a set does not fit.
    package init(annexB: Span<UInt8>) throws(ParseError) {
        let structure = "HEVC parameter sets"
        var units: [Kind: [[UInt8]]] = [:]
        for range in try AnnexB.units(in: annexB, structure: structure) {
            var writer = ByteWriter()
            writer.append(annexB.extracting(range))
            if let kind = Kind(unit: writer.bytes) { units[kind, default: []].append(writer.bytes) }
        }
        guard let sequence = units[.sequence]?.first else {
            throw ParseError(.missing, in: structure, at: 0, expected: "a sequence parameter set")
        }
        (fields, rest) = (try HEVCSequenceParameterSet.configurationFields(of: sequence), [])
        for kind in Kind.allCases {
            guard let sets = units[kind] else {
                throw ParseError(.missing, in: structure, at: 0, expected: "a parameter set of type \(kind.rawValue)")
            }
            guard set(sets, of: kind) else {
                throw ParseError(.overLimit, in: structure, at: 0, expected: "parameter sets that fit into hvcC")
            }
        }
    }

    func units(of kind: Kind) -> [[UInt8]] {
        arrays.filter { $0.header & 0x3F == kind.rawValue }.flatMap(\.units)
    }

    /// The types without a set.
    var missing: [Kind] { Kind.allCases.filter { units(of: $0).isEmpty } }

    /// - Returns: false if there are more sets than the box can hold.
    mutating func set(_ units: [[UInt8]], of kind: Kind) -> Bool {
        guard !units.isEmpty, units.count <= UInt16.max, units.allSatisfy({ $0.count <= UInt16.max }) else {
            return false
        }
        arrays.removeAll { $0.header & 0x3F == kind.rawValue }
        arrays.insert(Group(header: kind.rawValue, units: units), at: 0)
        arrays.sort { $0.header & 0x3F < $1.header & 0x3F }
        return arrays.count <= UInt8.max
    }

    /// The payload of a box that states that the samples contain no further sets of the three types.
    var complete: [UInt8] {
        var writer = ByteWriter()
        writer.append(fields)
        writer.integer(UInt8(arrays.count))
        for array in arrays {
            let isKnown = Kind(rawValue: array.header & 0x3F) != nil
            writer.integer(isKnown ? array.header | 0x80 : array.header)
            writer.integer(UInt16(array.units.count))
            for unit in array.units {
                writer.integer(UInt16(unit.count))
                writer.append(unit)
            }
        }
        writer.append(rest)
        return writer.bytes
    }
}

extension VisualSampleEntry {
    /// Whether the parameter sets that a decoder needs are here, and not only among the samples.
    package func hasParameterSets() throws(ParseError) -> Bool {
        if let configuration {
            return !configuration.sequenceParameterSets.isEmpty && !configuration.pictureParameterSets.isEmpty
        }
        guard let box = others.first(where: { $0.type == HEVCConfiguration.type }) else { return false }
        return try HEVCParameterSets(box).missing.isEmpty
    }
}
