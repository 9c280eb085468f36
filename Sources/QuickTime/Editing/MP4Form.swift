import Bytes
import ISOBMFF
import MediaModel

/// Converts a track of a QuickTime movie to the form of ISO files, which readers of MP4 expect; the reverse of
/// `QuickTimeForm`. Boxes in ISO's form, and those that ISO does not know, stay unchanged.
enum MP4Form {
    /// `iso4` allows signed composition offsets.
    static let fileType = FileTypeBox(
        majorBrand: "mp42", minorVersion: 0, compatibleBrands: ["mp42", "isom", "iso4"])

    /// `udta` with iTunes' metadata: a JPEG as cover. There is no specification; the type of the data is that of
    /// QuickTime's "well-known types".
    static func userData(cover: [UInt8]) -> OpaqueBox {
        let jpeg: UInt32 = 13
        return OpaqueBox("udta") { writer in
            writer.box("meta") { writer in
                writer.zeros(4)
                writer.box("hdlr") { writer in
                    writer.zeros(8)
                    writer.append(Array("mdirappl".utf8))
                    writer.zeros(9)
                }
                writer.box("ilst") { writer in
                    writer.box("covr") { writer in
                        writer.box("data") { writer in
                            writer.integer(jpeg)
                            writer.zeros(4)
                            writer.append(cover)
                        }
                    }
                }
            }
        }
    }

    /// - Parameters:
    ///   - boxes: the boxes in `trak`.
    ///   - keptIDs: the tracks of the new file; references to others are removed.
    static func convert(_ boxes: inout [OpaqueBox], of track: Track, keptIDs: Set<UInt32>) throws {
        try boxes.edit([TrackHeaderBox.type]) { box in
            // In an ISO file the same bit means that the size is only an aspect ratio (ISO/IEC 14496-12, 8.3.2).
            try box.edit(as: TrackHeaderBox.self) { header in
                header.flags.remove(.inPoster)
                // The only track of its kind is no longer an alternative to another one.
                if track.kind != .metadata { header.flags.insert(.enabled) }
            }
        }
        try boxes.keepReferences(to: keptIDs)
        try boxes.edit([MediaBox.type, MediaHeaderBox.type]) { box in
            try box.edit(as: MediaHeaderBox.self) { header in
                if header.language < 0x400 { header.language = MediaHeaderBox.undeterminedLanguage }
                header.quality = 0
            }
        }
        try boxes.edit([MediaBox.type, HandlerBox.type]) { try $0.edit(as: HandlerBox.self) { $0.convertToISO() } }
        try boxes.edit([MediaBox.type, MediaInformationBox.type]) { try $0.editBoxes(convertMediaInformation) }
        try boxes.edit([FourCC].sampleTable + [CompositionOffsetBox.type]) { box in
            try box.edit(as: CompositionOffsetBox.self) { box in
                if box.entries.contains(where: { $0.offset < 0 }) { box.version = 1 }
            }
        }
        try boxes.editSampleEntries { entry in
            switch track.kind {
            case .video: try convertVideo(&entry)
            case .audio: try convertAudio(&entry)
            case .metadata, .other: break
            }
        }
        boxes.convertMetadata(to: .iso)
    }

    private static func convertMediaInformation(_ boxes: inout [OpaqueBox]) throws {
        // QuickTime's header of media that are neither video nor sound, and its handler of the data.
        if let index = boxes.firstIndex(of: "gmhd") { boxes[index] = OpaqueBox("nmhd") { $0.zeros(4) } }
        boxes.removeAll { $0.type == HandlerBox.type }
        try boxes.edit([DataInformationBox.type]) { box in
            try box.edit(as: DataInformationBox.self) { information in
                guard let references = information.references else { return }
                information.references?.entries = references.entries.map { _ in
                    DataReferenceBox.Entry(type: "url ", flags: 1, data: [])
                }
            }
        }
    }

    /// From the version to the spatial quality, and the size of the data: zero in ISO files.
    private static let quickTimeVideoFields = [8..<24, 36..<40]

    private static func convertVideo(_ entry: inout OpaqueBox) throws {
        let fieldsSize = VisualSampleEntry.fieldsSize
        guard entry.payload.count >= fieldsSize else { return }
        for range in quickTimeVideoFields {
            entry.payload.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        try entry.editBoxes(after: fieldsSize) { boxes in
            let configuration = boxes.first(where: ParameterSets.isConfiguration)
            for index in boxes.indices where boxes[index].type == ColorBox.type {
                convertColor(&boxes[index], configuration)
            }
        }
        entry.payload.removeLast(try entry.terminatorSize(after: fieldsSize))
    }

    /// `nclc` → `nclx`, with the range that the stream states.
    private static func convertColor(_ box: inout OpaqueBox, _ configuration: OpaqueBox?) {
        var reader = box.reader
        guard let color = try? ColorBox(from: &reader), case .quickTime(var description) = color.parameters else {
            return
        }
        let stream = configuration.flatMap { try? VideoColor.color(in: $0) }
        description.isFullRange = stream?.isFullRange ?? false
        box = OpaqueBox(writing: ColorBox(.iso(description)))
    }

    /// Makes a version 0 entry with the unchanged `esds`, which QuickTime stores in `wave`.
    private static func convertAudio(_ entry: inout OpaqueBox) throws {
        var reader = entry.reader
        var new = try AudioSampleEntry(type: entry.type, from: &reader)
        guard new.layout != .version0 || new.wave != nil else { return }
        let fieldsSize =
            switch new.layout {
            case .version0: AudioSampleEntry.fieldsSize
            case .version1: AudioSampleEntry.fieldsSize + 16
            case .version2: AudioSampleEntry.fieldsSize + 36
            }
        reader = entry.reader
        try reader.skip(fieldsSize)
        new.others = []
        while let child = try reader.nextBox() {
            guard child.type == SoundWaveBox.type else {
                new.others.append(OpaqueBox(child))
                continue
            }
            var wave = child.payload
            while let part = try wave.nextBox(), part.type.rawValue != 0 {
                if part.type == ESDescriptorBox.type { new.others.append(OpaqueBox(part)) }
            }
        }
        new.channelCount = UInt16(clamping: new.channels)
        // The field holds rates below 65536; the stream descriptor states all.
        new.sampleRate = UInt32(exactly: (new.rate * 65536).rounded()) ?? 0
        (new.wave, new.streamDescriptor) = (nil, nil)
        (new.layout, new.sampleSize, new.compressionID, new.packetSize) = (.version0, 16, 0, 0)
        (new.revision, new.vendor) = (0, FourCC(rawValue: 0))
        entry = OpaqueBox(entry.type) { new.write(to: &$0) }
    }
}

extension HandlerBox {
    fileprivate mutating func convertToISO() {
        let name = name
        guard componentType.rawValue != 0 else { return }
        (componentType, manufacturer) = (FourCC(rawValue: 0), FourCC(rawValue: 0))
        (flags, flagsMask) = (0, 0)
        nameField = name.bytes + [0]
    }
}

extension OpaqueBox {
    /// The number of bytes after the boxes in this box: zeros that end a list in QuickTime movies.
    fileprivate func terminatorSize(after start: Int) throws -> Int {
        var reader = self.reader
        try reader.skip(start)
        while try reader.nextBox() != nil {}
        return reader.remaining
    }
}

extension [OpaqueBox] {
    /// Converts each `meta` of keys and values to the form of QuickTime or ISO.
    mutating func convertMetadata(to form: MetadataBox.Form) {
        for index in indices {
            guard let metadata = self[index].keyedMetadata, metadata.form != form else { continue }
            switch form {
            case .iso: self[index].payload.insert(contentsOf: [0, 0, 0, 0], at: 0)
            case .quickTime: self[index].payload.removeFirst(4)
            }
        }
    }
}
