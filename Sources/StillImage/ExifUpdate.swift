package import Bytes
package import MediaModel

/// Changes to the Exif data of a photo; everything else stays.
package struct ExifUpdate: Hashable, Sendable {
    package enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        case keep
        case remove
        case set(Value)
        /// Sets the value if the photo has none, not even one that cannot be read.
        case fillIn(Value)
    }

    package var contentIdentifier: Change<ContentIdentifier>
    package var captureDate: Change<CaptureDate>
    package var location: Change<GeographicLocation>
    /// The data of UserComment, beginning with its character set.
    var userComment = Change<[UInt8]>.keep
    /// Nil keeps the old value. Readers of a HEIC use its `irot` and `imir` instead.
    package var orientation: Orientation?

    package init(
        contentIdentifier: Change<ContentIdentifier> = .keep, captureDate: Change<CaptureDate> = .keep,
        location: Change<GeographicLocation> = .keep, orientation: Orientation? = nil
    ) {
        self.contentIdentifier = contentIdentifier
        self.captureDate = captureDate
        self.location = location
        self.orientation = orientation
    }

    /// The photo's Exif data with the changes; nil if it had none and nothing is set.
    ///
    /// - Parameters:
    ///   - tiff: the data, beginning with the TIFF header; nil for a photo that has none.
    ///   - picture: the photo if it is a JPEG, or newly encoded: new data then have the fields that Exif requires there.
    ///   - change: how the photo was made of the one whose data these are, if it was: they are completed like new ones, and
    ///     lose the thumbnail.
    /// - Throws: `ParseError` where the data are damaged.
    package func applied(
        to tiff: [UInt8]?, of picture: EncodedPicture? = nil, from change: PictureChange? = nil
    ) throws(ParseError) -> [UInt8]? {
        guard let tiff else {
            var editor = TIFFEditor()
            try apply(to: &editor, note: nil, old: Exif())
            guard !editor.isEmpty || orientation != nil else { return nil }
            let exif = Exif(orientation: orientation ?? .upright, size: picture?.size)
            if let picture {
                editor.add(exif.tiff, isSRGB: picture.isSRGB)
            } else {
                editor.set(.short(.orientation, UInt16(exif.orientation.rawValue)), in: .image)
            }
            return editor.finish()
        }
        var editor = try TIFFEditor(tiff)
        let read = try TIFF(from: ByteReader(tiff, structure: "Exif TIFF"))
        if let orientation { editor.set(.short(.orientation, UInt16(orientation.rawValue)), in: .image) }
        try apply(to: &editor, note: read.exif?.field(.makerNote)?.data, old: Exif(from: read))
        if let change, let picture {
            editor.removeThumbnail()
            editor.moveSubject(of: read, change, to: picture.size)
            let new = Exif(size: picture.size).tiff
            editor.add(new, isSRGB: picture.isSRGB)
            // The picture may be turned, and have other components.
            for tag in [TIFFTag.pixelXDimension, .pixelYDimension, .componentsConfiguration] {
                if let field = new.exif?[tag] { editor.set(field, in: .exif) }
            }
            // Those of a TIFF, which phones write in JPEGs and HEICs too.
            for (tag, length) in [(TIFFTag.imageWidth, picture.size.width), (.imageLength, picture.size.height)]
            where editor.has(tag, in: .image) {
                editor.set(.long(tag, UInt32(clamping: length)), in: .image)
            }
            for tag in [TIFFTag.tileWidth, .tileLength] { editor.remove(tag, from: .image) }
            if read.gps != nil, !editor.has(.gpsVersion, in: .gps) {
                editor.set(.byte(.gpsVersion, 2, 3, 0, 0), in: .gps)
            }
        }
        let edited = editor.finish()
        guard isApplied(in: try Exif(from: ByteReader(edited, structure: "Exif TIFF"))) else {
            throw ParseError(
                .invalidValue, in: "Exif TIFF", at: 0,
                expected: "data whose fields read back as written, found fields that hide them")
        }
        return edited
    }

    /// Whether the edited data hold the new values and none of the removed ones. In hostile data, fields may share bytes;
    /// added bytes can then make one field readable and push later ones over the limit for all values.
    private func isApplied(in exif: Exif) -> Bool {
        func isApplied<Value>(_ change: Change<Value>, _ found: Value?) -> Bool {
            switch change {
            case .keep: true
            case .remove: found == nil
            case .set(let value): found == value
            case .fillIn: found != nil
            }
        }
        // Exif rounds the location.
        let hasLocation = exif.location != nil
        let keepsUnreadableDate = if case .fillIn = captureDate { exif.hasUnreadableDate } else { false }
        return isApplied(contentIdentifier, exif.contentIdentifier)
            && (keepsUnreadableDate || isApplied(captureDate, exif.captureDate))
            && (location == .keep || hasLocation == (location != .remove))
    }

    private func apply(to editor: inout TIFFEditor, note: [UInt8]?, old: Exif) throws(ParseError) {
        // Before anything is added: only what is at the end of the data can be removed.
        if userComment == .remove { editor.remove(.userComment, from: .exif) }
        switch contentIdentifier {
        case .keep: break
        case .remove: try editor.removeContentIdentifier(note: note)
        case .fillIn where old.contentIdentifier != nil: break
        case .set(let identifier), .fillIn(let identifier): try editor.set(identifier, note: note)
        }
        switch userComment {
        case .keep, .remove: break
        case .fillIn where editor.has(.userComment, in: .exif): break
        case .set(let data), .fillIn(let data): editor.set(.undefined(.userComment, data), in: .exif)
        }
        switch captureDate {
        case .keep: break
        case .remove: editor.removeCaptureDate()
        case .fillIn where old.captureDate != nil || old.hasUnreadableDate: break
        case .set(let date), .fillIn(let date): editor.set(date)
        }
        switch location {
        case .keep: break
        case .remove: try editor.eraseGPS()
        case .fillIn where old.location != nil: break
        case .set(let new):
            // This also removes direction, speed and time of the old location.
            try editor.eraseGPS()
            editor.set(new)
        case .fillIn(let new): editor.set(new)
        }
    }
}

extension ExifUpdate {
    /// What XMP and IPTC may state that is not true after the update, or is to be removed.
    ///
    /// - Parameters:
    ///   - exif: the Exif data before.
    ///   - xmp: the XMP before. If neither states a date, the new one only adds to what IPTC may know.
    package func outdated(_ exif: Exif?, _ xmp: XMP?) -> KeptMetadata.Statements {
        var statements: KeptMetadata.Statements = location == .remove ? .location : []
        switch captureDate {
        case .remove: statements.insert(.date)
        case .set(let new):
            let others = [exif?.captureDate, xmp?.statedDate?.date].compactMap(\.self).filter { $0 != new }
            if !others.isEmpty || exif?.hasUnreadableDate == true { statements.insert(.date) }
        case .keep, .fillIn: break
        }
        return statements
    }
}

extension TIFFEditor {
    /// Adds all fields that are not there.
    fileprivate mutating func add(_ tiff: TIFF, isSRGB: Bool) {
        for field in tiff.image.fields where !has(field.tag, in: .image) { set(field, in: .image) }
        for field in tiff.exif?.fields ?? [] where !has(field.tag, in: .exif) {
            // Exif calls other colours than sRGB uncalibrated.
            set(field.tag == .colorSpace && !isSRGB ? .short(.colorSpace, 0xFFFF) : field, in: .exif)
        }
    }

    /// Moves the subject to where it is in the new picture, or removes it if it is not there (CIPA DC-008, 4.6.5: two values are
    /// a point, three a circle, four a rectangle, from its middle).
    fileprivate mutating func moveSubject(of tiff: TIFF, _ change: PictureChange, to size: PixelSize) {
        let stated = PixelSize(
            width: Int(clamping: tiff.exif?[.pixelXDimension]?.unsigned ?? 0),
            height: Int(clamping: tiff.exif?[.pixelYDimension]?.unsigned ?? 0))
        for tag in [TIFFTag.subjectArea, .subjectLocation] {
            guard let field = tiff.exif?[tag] else { continue }
            if let values = field.shorts.flatMap({ change.subject($0, of: stated, in: size) }) {
                set(.shorts(tag, values), in: .exif)
            } else {
                remove(tag, from: .exif)
            }
        }
    }

    /// Puts the identifier in Apple's MakerNote.
    ///
    /// Exif has one field for a MakerNote, in which readers look for Apple's. So another maker's note keeps its position
    /// in the file and is listed in the first IFD instead. exiftool finds and decodes it there if the photo states its
    /// camera, and the note's offsets, which count from the TIFF's start, stay valid.
    fileprivate mutating func set(_ identifier: ContentIdentifier, note: [UInt8]?) throws(ParseError) {
        if let note, AppleMakerNote.isApple(note) {
            set(.undefined(.makerNote, try AppleMakerNote.setting(identifier, in: note)), in: .exif)
            return
        }
        if has(.makerNote, in: .exif) {
            guard !has(.makerNote, in: .image) else {
                throw ParseError(
                    .unsupported, in: "Exif TIFF", at: 0, expected: "one MakerNote, found two that are not Apple's")
            }
            move(.makerNote, from: .exif, to: .image)
        }
        set(.undefined(.makerNote, AppleMakerNote(contentIdentifier: identifier).bytes), in: .exif)
    }

    /// Reverses `set(_:note:)`; another maker's note is listed in the Exif IFD again.
    fileprivate mutating func removeContentIdentifier(note: [UInt8]?) throws(ParseError) {
        guard let note, AppleMakerNote.isApple(note) else { return }
        if let rest = try AppleMakerNote.removingContentIdentifier(from: note) {
            set(.undefined(.makerNote, rest), in: .exif)
        } else {
            remove(.makerNote, from: .exif)
            move(.makerNote, from: .image, to: .exif)
        }
    }

    fileprivate mutating func set(_ date: CaptureDate) {
        for tag in [TIFFTag.dateTimeOriginal, .dateTimeDigitized] { set(.ascii(tag, date.exif), in: .exif) }
        for tag in [TIFFTag.offsetTimeOriginal, .offsetTimeDigitized] {
            if let offset = date.exifOffset { set(.ascii(tag, offset), in: .exif) } else { remove(tag, from: .exif) }
        }
        for tag in [TIFFTag.subSecTimeOriginal, .subSecTimeDigitized] { remove(tag, from: .exif) }
    }

    fileprivate mutating func removeCaptureDate() {
        for tag in [
            TIFFTag.dateTimeOriginal, .dateTimeDigitized, .offsetTimeOriginal, .offsetTimeDigitized,
            .subSecTimeOriginal, .subSecTimeDigitized,
        ] { remove(tag, from: .exif) }
    }

    fileprivate mutating func set(_ location: GeographicLocation) {
        for field in location.gps.fields { set(field, in: .gps) }
    }
}

/// What Exif data state about a picture.
package struct EncodedPicture: Sendable, Hashable {
    let size: PixelSize
    /// Whether its colors are those of sRGB.
    let isSRGB: Bool

    package init(size: PixelSize, isSRGB: Bool) {
        (self.size, self.isSRGB) = (size, isSRGB)
    }

    package init(_ jpeg: JPEG) {
        self.init(size: jpeg.size, isSRGB: jpeg.isSRGB)
    }
}

extension PictureChange {
    /// The subject in the new picture; nil if it is not there.
    ///
    /// - Parameters:
    ///   - stated: the size of the old picture according to Exif. Programs that scale pictures down often leave it and the
    ///     subject as they were.
    ///   - size: that of the new picture.
    fileprivate func subject(_ values: [UInt16], of stated: PixelSize, in size: PixelSize) -> [UInt16]? {
        guard let map = storedMap, (2...4).contains(values.count) else { return nil }
        let numbers = values.map(Double.init)
        // A point counts as a small square.
        let extent = numbers.count > 2 ? numbers.dropFirst(2) : [0.01]
        let (width, height) = (extent.first ?? 0.01, extent.last ?? 0.01)
        let picture = min(stated.width, stated.height) > 0 && stated.hasShape(of: old.size) ? stated : old.size
        let (oldWidth, oldHeight) = (Double(max(picture.width, 1)), Double(max(picture.height, 1)))
        let box = UnitBox(
            left: (numbers[0] - width / 2) / oldWidth, top: (numbers[1] - height / 2) / oldHeight,
            right: (numbers[0] + width / 2) / oldWidth, bottom: (numbers[1] + height / 2) / oldHeight)
        guard let new = map.place(box).insidePicture else { return nil }
        let edges = (new.width * Double(size.width), new.height * Double(size.height))
        let place = [
            (new.left + new.right) / 2 * Double(size.width), (new.top + new.bottom) / 2 * Double(size.height),
        ]
        let lengths = [[], [min(edges.0, edges.1)], [edges.0, edges.1]][values.count - 2]
        return (place + lengths).map { UInt16(min(max($0.rounded(), 0), 65535)) }
    }
}
