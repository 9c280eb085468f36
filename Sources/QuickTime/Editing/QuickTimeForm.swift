import Bytes

/// Converts those boxes of a track of an ISO file to QuickTime's form whose form Apple's readers expect according to the
/// brand. Boxes in QuickTime's form stay unchanged.
enum QuickTimeForm {
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
        try boxes.edit([MediaBox.type, MediaInformationBox.type]) { try $0.editBoxes(convertMediaInformation) }
        try boxes.editSampleEntries { try convertEntry(&$0, of: track) }
        boxes.convertMetadata(to: .quickTime)
    }

    private static func convertMediaInformation(_ boxes: inout [OpaqueBox]) throws {
        // ISO's header of media that are neither video nor sound, which is empty.
        if let index = boxes.firstIndex(of: "nmhd") { boxes[index] = .baseMediaHeader }
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
        if track.kind == .video, SampleFormat.livePhotoVideoTypes.contains(entry.type) {
            try entry.editBoxes(after: VisualSampleEntry.fieldsSize) { boxes in
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

    /// Makes a version 1 sound description with the unchanged `esds` in `wave` (QuickTime File Format, "Sound sample
    /// description (version 1)").
    private static func convertMPEG4Audio(_ entry: inout OpaqueBox, of track: Track) throws {
        var reader = entry.reader
        let old = try AudioSampleEntry(type: entry.type, from: &reader)
        guard old.layout == .version0 else { return }
        let type = entry.type
        try entry.editBoxes(after: AudioSampleEntry.fieldsSize) { boxes in
            guard let index = boxes.firstIndex(of: ESDescriptorBox.type) else { return }
            let format = OpaqueBox(type: type, payload: [0, 0, 0, 0])
            boxes[index] = OpaqueBox(writing: SoundWaveBox(format: type, others: [format, boxes[index]]))
        }
        let packets = AudioSampleEntry.Packets(
            samplesPerPacket: samplesPerPacket(of: track, rate: old.rate), bytesPerPacket: 0, bytesPerFrame: 0,
            bytesPerSample: 2)
        var fields = ByteWriter()
        packets.write(to: &fields)
        // Version 1, and the compression id -2: variable bit rate.
        entry.payload.replaceSubrange(8..<10, with: [0, 1])
        entry.payload.replaceSubrange(20..<22, with: [0xFF, 0xFE])
        entry.payload.insert(contentsOf: fields.bytes, at: AudioSampleEntry.fieldsSize)
    }

    /// The duration of a packet if the media's timescale is the sample rate; otherwise that of AAC-LC.
    private static func samplesPerPacket(of track: Track, rate: Double) -> UInt32 {
        let duration = track.box.media.information.sampleTable.timeToSample.entries.first?.duration ?? 0
        return Double(track.box.media.header.timescale) == rate && duration > 0 ? duration : 1024
    }
}
