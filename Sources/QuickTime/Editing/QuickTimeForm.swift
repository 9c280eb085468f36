import Bytes

/// Converts the boxes of a track of an ISO file to those of a QuickTime movie where the two formats differ and Apple's
/// readers decide by the brand. Boxes in QuickTime's form stay unchanged.
enum QuickTimeForm {
    private static let isoMediaHeader: FourCC = "nmhd"
    private static let mediaPath = [MediaBox.type, MediaInformationBox.type]

    /// Video formats whose entries are known to have boxes after their fields.
    private static let videoTypes: Set<FourCC> = ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe"]
    private static let videoFieldsSize = 78
    private static let soundFieldsSize = 28

    /// - Parameter boxes: the boxes in `trak`.
    static func convert(_ boxes: inout [OpaqueBox], of track: Track) throws {
        try boxes.edit([TrackHeaderBox.type]) { box in
            try box.edit(as: TrackHeaderBox.self) { if $0.flags.contains(.enabled) { $0.flags.formUnion(.all) } }
        }
        try boxes.edit([MediaBox.type, HandlerBox.type]) { box in
            try box.edit(as: HandlerBox.self) { handler in
                guard handler.componentType.rawValue == 0 else { return }
                handler.nameField = pascalString(handler.name)
                handler.componentType = HandlerBox.video.componentType
            }
        }
        try boxes.edit(mediaPath) { try $0.editBoxes(convertMediaInformation) }
        try boxes.edit(mediaPath + [SampleTableBox.type, SampleDescriptionBox.type]) { box in
            try box.editBoxes(after: 8) { entries in
                for index in entries.indices { try convertEntry(&entries[index], of: track) }
            }
        }
    }

    private static func convertMediaInformation(_ boxes: inout [OpaqueBox]) throws {
        // ISO's header of media that are neither video nor sound is empty.
        if let index = boxes.firstIndex(of: isoMediaHeader) {
            boxes[index] = OpaqueBox(writing: BaseMediaHeaderBox(BaseMediaInformationBox()))
        }
        let data = DataInformationBox(references: .sameFile)
        if boxes.firstIndex(of: DataInformationBox.type) == nil {
            boxes.insert(OpaqueBox(writing: data), at: boxes.firstIndex(of: SampleTableBox.type) ?? boxes.count)
        }
        if boxes.firstIndex(of: HandlerBox.type) == nil {
            boxes.insert(
                OpaqueBox(writing: HandlerBox.data), at: boxes.firstIndex(of: DataInformationBox.type) ?? boxes.count)
        }
        try boxes.edit([DataInformationBox.type]) { box in
            try box.edit(as: DataInformationBox.self) { information in
                var references = information.references ?? .sameFile
                for index in references.entries.indices where references.entries[index].type == "url " {
                    references.entries[index] = DataReferenceBox.sameFile.entries[0]
                }
                information.references = references
            }
        }
    }

    private static func convertEntry(_ entry: inout OpaqueBox, of track: Track) throws {
        if track.kind == .video, videoTypes.contains(entry.type) {
            try entry.editBoxes(after: videoFieldsSize) { boxes in
                for index in boxes.indices where boxes[index].type == ColorBox.type { convertColor(&boxes[index]) }
            }
        } else if track.kind == .audio, entry.type == "mp4a" {
            try convertMPEG4Audio(&entry, of: track)
        }
    }

    /// `nclx` → `nclc`, which has no range: players read it from the stream.
    private static func convertColor(_ box: inout OpaqueBox) {
        var reader = box.reader
        guard let color = try? ColorBox(from: &reader), case .iso(let description) = color.parameters else { return }
        box.payload = OpaqueBox(writing: ColorBox(.quickTime(description))).payload
    }

    /// A version 1 sound description with `esds`, as it is, in `wave` (QuickTime File Format, "Sound sample description
    /// (version 1)").
    private static func convertMPEG4Audio(_ entry: inout OpaqueBox, of track: Track) throws {
        var reader = entry.reader
        let old = try AudioSampleEntry(type: entry.type, from: &reader)
        guard old.layout == .version0 else { return }
        let type = entry.type
        try entry.editBoxes(after: soundFieldsSize) { boxes in
            guard let index = boxes.firstIndex(of: ESDescriptorBox.type) else { return }
            let format = OpaqueBox(type: type, payload: [0, 0, 0, 0])
            boxes[index] = OpaqueBox(writing: SoundWaveBox(format: type, others: [format, boxes[index]]))
        }
        var fields = ByteWriter()
        fields.append(entry.payload.prefix(8))
        fields.integer(UInt16(1))
        fields.append(entry.payload[10..<20])
        fields.integer(AudioSampleEntry.variableBitRate)
        fields.append(entry.payload[22..<soundFieldsSize])
        let packets = AudioSampleEntry.Packets(
            samplesPerPacket: samplesPerPacket(of: track, rate: old.rate), bytesPerPacket: 0, bytesPerFrame: 0,
            bytesPerSample: 2)
        packets.write(to: &fields)
        fields.append(entry.payload.dropFirst(soundFieldsSize))
        entry.payload = fields.bytes
    }

    /// The packets' duration, if the media's clock is that of the samples; otherwise that of AAC-LC.
    private static func samplesPerPacket(of track: Track, rate: Double) -> UInt32 {
        let duration = track.box.media.information.sampleTable.timeToSample.entries.first?.duration ?? 0
        return Double(track.box.media.header.timescale) == rate && duration > 0 ? duration : 1024
    }
}
