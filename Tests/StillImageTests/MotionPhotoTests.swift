import Bytes
import Foundation
import MediaModel
import StillImage
import SystemPackage
import TestSupport
import Testing

/// All bytes of the file to be.
private func joined(_ pieces: FilePieces) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try pieces.forEach { bytes += $0 }
    #expect(bytes.count == pieces.count)
    return bytes
}

private func motionPhoto(_ bytes: [UInt8]) throws -> MotionPhoto { try MotionPhoto(PhotoReader(inputFile(bytes))) }

private func still(_ bytes: [UInt8]) throws -> [UInt8] { try joined(motionPhoto(bytes).still()) }

private func adding(_ movie: [UInt8], at microseconds: Int64?, to photo: [UInt8]) throws -> [UInt8] {
    try joined(
        motionPhoto(photo).with(
            FilePieces(inputFile(movie)),
            presentationTime: microseconds.map { MediaTime(value: $0, timescale: 1_000_000) }))
}

private func xmp(_ bytes: [UInt8]) throws -> XMP? { try PhotoReader(inputFile(bytes)).xmp() }

private func video(_ bytes: [UInt8]) throws -> EmbeddedVideo? { try EmbeddedVideo(PhotoReader(inputFile(bytes))) }

/// A movie of `count` bytes, as far as its first box says.
private func longMovie(_ count: Int, brand: String = "mp42") -> [UInt8] {
    box("ftyp", Array(brand.utf8) + hex("00000000")) + (16..<count).map { UInt8($0 & 0xFF) }
}

/// Photos without a movie, as different as motion photos are made of.
private let photos: [(name: String, bytes: [UInt8])] =
    [
        ("JPEG", sampleJPEG(jfif, exifSegment(minimalTIFF))), ("no header", sampleJPEG() + Array("appended".utf8)),
        ("XMP", sampleJPEG(jfif, xmpSegment(googleXMP("G:BurstID='7'")))),
        ("elements", sampleJPEG(xmpSegment(googleXMP("", "<r:li><C:Item I:Semantic='GainMap' I:Length='8'/></r:li>")))),
        ("blank XMP", sampleJPEG(xmpSegment(Array("   ".utf8)), comment)),
        ("Samsung", sampleJPEG(jfif) + samsungTrailer(Array("data".utf8), type: 0x0A31)),
    ] + SampleHEIF.layouts.filter(\.appended.isEmpty).map { (name: "HEIC: \($0.name)", bytes: $0.bytes) }

@Suite struct MotionPhotoTests {
    @Test(arguments: photos.indices) func `a movie put in a photo is found again, and the picture is the same`(
        index: Int
    ) throws {
        let (name, photo) = photos[index]
        for (movie, time) in [(longMovie(100), 1_234_567), (longMovie(70_000), 0), (shortMovie, nil)]
            as [([UInt8], Int64?)]
        {
            let whole = try adding(movie, at: time, to: photo)
            let found = try #require(try video(whole), "\(name)")
            #expect(Array(whole[found.range]) == movie)
            #expect(found.range.upperBound == whole.count)
            #expect(found.presentationTime?.rescaled(to: 1_000_000).value == time)
            let alone = try still(whole)
            #expect(try video(alone) == nil)
            if photo.starts(with: hex("ffd8")) {
                #expect(alone.count(of: scan) == 1)
            } else {
                #expect(try itemData(1, in: whole) == SampleHEIF.picture)
                #expect(try itemData(1, in: alone) == SampleHEIF.picture)
            }
            // Another one takes its place.
            let other = try adding(longMovie(64), at: 5, to: whole)
            #expect(try video(other)?.range.count == 64)
            #expect(other.count(of: Array("ftypmp42".utf8)) == 1)
            #expect(try still(other) == alone)
        }
    }

    @Test(arguments: [("mp42", "video/mp4"), ("qt  ", "video/quicktime")])
    func `XMP says what readers look for`(brand: String, type: String) throws {
        let photo = try adding(longMovie(40, brand: brand), at: 2_968_555, to: sampleJPEG(jfif))
        let text = String(decoding: photo, as: UTF8.self)
        #expect(text.contains("<rdf:Description rdf:about=\"\" xmlns:GCamera="))
        #expect(
            text.contains(
                " GCamera:MotionPhoto=\"1\" GCamera:MotionPhotoVersion=\"1\""
                    + " GCamera:MotionPhotoPresentationTimestampUs=\"2968555\">"))
        #expect(
            text.contains(
                "<Container:Item Item:Mime=\"image/jpeg\" Item:Semantic=\"Primary\" Item:Length=\"0\"/>"
            ))
        #expect(
            text.contains(
                "<Container:Item Item:Mime=\"\(type)\" Item:Semantic=\"MotionPhoto\" Item:Length=\"40\"/>"
            ))
        let heic = try adding(longMovie(40), at: nil, to: SampleHEIF(name: "").bytes)
        #expect(heic.suffix(48).starts(with: hex("00000030") + Array("mpvd".utf8)))
        let item = try #require(try xmp(heic)?[XMLNamespace.googleContainer, "Directory"]?.items.first)
        let primary = item[XMLNamespace.googleContainer, "Item"]
        #expect(primary?[XMLNamespace.googleContainerItem, "Padding"]?.integer == 8)
        #expect(primary?[XMLNamespace.googleContainerItem, "Mime"]?.text == "image/heic")
        #expect(try xmp(heic)?[XMLNamespace.googleCamera, "MotionPhotoPresentationTimestampUs"]?.integer == -1)
    }

    @Test func `other XMP stays as it is, and so does what else the file holds`() throws {
        let gainMap =
            "<r:li r:parseType='Resource'><C:Item I:Semantic='GainMap' I:Length='8' I:Mime='image/jpeg'/></r:li>"
        let before = googleXMP(
            "G:MicroVideo='1' G:MicroVideoOffset='24' G:BurstID='a&amp;b' G:MotionPhoto = \"1\"",
            directoryItem("Primary", "I:Length='0'") + gainMap + "\n " + directoryItem("MotionPhoto", "I:Length='24'"))
        let photo = sampleJPEG(
            xmpSegment(before + Array(repeating: 0x20, count: 500) + Array("<?xpacket end='w'?>".utf8)))
        let alone = try still(photo + shortMovie)
        #expect(alone.count == photo.count)
        let properties = try #require(try xmp(alone)).properties
        #expect(properties.map(\.name.local) == ["BurstID", "Directory"])
        #expect(properties.last?.value.items.count == 2)
        // What stays is the same to the byte.
        let kept = Array("<r:Description G:BurstID='a&amp;b'><C:Directory><r:Seq>".utf8)
        #expect(alone.count(of: kept) == 1)
        #expect(alone.count(of: Array("</r:li>\(gainMap)</r:Seq>".utf8)) == 1)

        let new = try adding(longMovie(64), at: 3, to: alone)
        // The padding made room.
        #expect(new.count == photo.count + 64)
        let items = try #require(try xmp(new)?[XMLNamespace.googleContainer, "Directory"]).items
        let semantics = items.map { item in
            (item[XMLNamespace.googleContainer, "Item"] ?? item)[XMLNamespace.googleContainerItem, "Semantic"]?.text
        }
        #expect(semantics == ["Primary", "GainMap", "MotionPhoto"])
        #expect(String(decoding: new, as: UTF8.self).contains("<Container:Item Item:Mime=\"video/mp4\""))
        #expect(try xmp(still(new))?.properties.count == 2 && video(still(new)) == nil)
    }

    @Test func `names keep their meaning whatever prefixes the packet uses`() throws {
        let packet = Array(
            """
            <RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:GCamera='urn:other'>
            <Description xmlns:Container='urn:a'><GCamera:x>1</GCamera:x></Description></RDF>
            """.utf8)
        let new = try adding(shortMovie, at: 9, to: sampleJPEG(xmpSegment(packet)))
        #expect(try video(new)?.presentationTime == MediaTime(value: 9, timescale: 1_000_000))
        #expect(try xmp(new)?["urn:other", "x"]?.text == "1")
    }

    @Test func `Samsung's other records stay`() throws {
        let photo = sampleJPEG(jfif)
        let alone = try still(photo + samsungTrailer(shortMovie))
        #expect(alone.starts(with: photo))
        #expect(alone.count(of: Array("Image_UTC_Data1650697175696".utf8)) == 1)
        #expect(alone.count(of: Array("MotionPhoto_Data".utf8)) == 0)
        let directory =
            hex("6b000000 02000000 0000 010a 36000000 23000000 0000 a10a 13000000 13000000") + little(36)
            + Array("SEFT".utf8)
        #expect(alone.suffix(directory.count) == directory[...])

        var sample = SampleHEIF(name: "Samsung")
        let start = sample.bytes.count + 8
        let place = Array("mpv2".utf8) + little(start).reversed() + little(24).reversed()
        let plain = sample.bytes
        sample.appended = box("mpvd", shortMovie + box("sefd", samsungTrailer(place)))
        let heic = try still(sample.bytes)
        #expect(heic.starts(with: plain))
        #expect(heic[(plain.count + 4)...].starts(with: "sefd".utf8))
        #expect(heic.suffix(4) == Array("SEFT".utf8)[...])
        #expect(try video(adding(longMovie(80), at: nil, to: heic))?.range.count == 80)
    }

    @Test func `a movie before the data of a HEIC's picture, where exiftool puts it, becomes free space`() throws {
        var sample = SampleHEIF(name: "", xmp: googleXMP("", directoryItem("MotionPhoto", "I:Length='24'")))
        sample.between = box("mpvd", shortMovie)
        #expect(try video(sample.bytes)?.range.count == shortMovie.count)
        let alone = try still(sample.bytes)
        #expect(alone.count == sample.bytes.count && alone.count(of: shortMovie) == 0)
        #expect(try itemData(1, in: alone) == SampleHEIF.picture && video(alone) == nil)
        #expect(try video(adding(longMovie(80), at: nil, to: alone))?.range.count == 80)
    }

    @Test func `a movie behind the boxes of a HEIC, in none of them, comes out too`() throws {
        var sample = SampleHEIF(name: "", xmp: googleXMP("", directoryItem("MotionPhoto", "I:Length='24'")))
        let plain = sample.bytes
        sample.appended = shortMovie
        let alone = try still(sample.bytes)
        #expect(alone.count == plain.count)
        #expect(try itemData(1, in: alone) == SampleHEIF.picture)
        #expect(try video(alone) == nil)
        #expect(try video(adding(longMovie(64), at: 1, to: sample.bytes))?.kind == .motionPhotoBox)
    }

    @Test func `the list of further pictures follows what moves`() throws {
        let list = segment(
            0xE2,
            Array("MPF\0".utf8) + hex("4949 2a00 08000000 0100 02b0 0700 20000000 1a000000 00000000")
                + hex("00000320 00100000 00000000 00000000 00000000 50000000 00010000 00000000"))
        let packet = googleXMP("G:BurstID='7'")
        let behind = try adding(shortMovie, at: 1, to: sampleJPEG(list, xmpSegment(packet)))
        let growth = behind.count - sampleJPEG(list, xmpSegment(packet)).count - shortMovie.count
        #expect(growth > 0)
        #expect(behind.count(of: hex("50000000") + little(0x100 + growth) + hex("00000000")) == 1)
        let before = try adding(shortMovie, at: 1, to: sampleJPEG(list))
        let newSize = before.count - sampleJPEG(list).count - shortMovie.count + 0x1000
        #expect(before.count(of: hex("00000320") + little(newSize) + hex("00000000")) == 1)
        #expect(before.count(of: hex("50000000 00010000 00000000")) == 1)
    }

    /// A JPEG with another picture, which its list describes.
    private func pictures(_ further: [UInt8], after gap: [UInt8] = []) -> [UInt8] {
        func photo(_ size: Int, _ offset: Int) -> [UInt8] {
            let list =
                hex("4949 2a00 08000000 0100 02b0 0700 20000000 1a000000 00000000") + hex("00000320") + little(size)
                + hex("00000000 00000000 00000000") + little(further.count) + little(offset) + hex("00000000")
            return sampleJPEG(segment(0xE2, Array("MPF\0".utf8) + list))
        }
        let size = photo(0, 0).count
        let start = photo(0, 0).firstRange(of: hex("4949 2a00"))?.lowerBound ?? 0
        return photo(size, size + gap.count - start) + gap + further
    }

    @Test(arguments: ["http://ns.adobe.com/hdr-gain-map/1.0/", "urn:com:apple:photo:2020:aux:hdrgainmap", "another"])
    func `a gain map after the picture is an item, and other pictures count as padding`(name: String) throws {
        let further = Array("a picture, \(name)".utf8)
        let whole = try adding(shortMovie, at: 1, to: pictures(further))
        let items = try #require(try xmp(whole)?[XMLNamespace.googleContainer, "Directory"]?.items)
        func field(_ index: Int, _ name: String) -> String? {
            items[index][XMLNamespace.googleContainer, "Item"]?[XMLNamespace.googleContainerItem, FileText(name)]?.text?
                .string()
        }
        let isGainMap = name != "another"
        #expect(
            items.indices.map { field($0, "Semantic") }
                == ["Primary", isGainMap ? "GainMap" : nil, "MotionPhoto"].compactMap(\.self))
        #expect(field(0, "Padding") == (isGainMap ? nil : "\(further.count)"))
        #expect(isGainMap == (field(1, "Length") == "\(further.count)"))
        // The list of pictures leads to it.
        let size = whole.count - further.count - shortMovie.count
        #expect(whole.count(of: hex("00000320") + little(size) + hex("00000000")) == 1)
        #expect(try video(whole)?.range.count == shortMovie.count)
        #expect(try still(whole).suffix(further.count) == further[...])
    }

    @Test(arguments: [
        ("none", 0, 0), ("none", 3, 0), ("listed", 0, 0), ("listed", 0, 9), ("found", 0, 0), ("found", 4, 9),
    ])
    func `bytes after the pictures are accounted for`(gainMap: String, before: Int, behind: Int) throws {
        let picture = Array("hdrgainmap".utf8)
        let list = xmpSegment(googleXMP("", "<r:li><C:Item I:Semantic='GainMap' I:Length='10'/></r:li>"))
        let junk = [UInt8](repeating: 0, count: before)
        let tail = [UInt8](repeating: 0, count: behind)
        let photo =
            switch gainMap {
            case "none": sampleJPEG(jfif) + junk
            case "listed": sampleJPEG(jfif, list) + picture + tail
            default: pictures(picture + tail, after: junk)
            }
        let whole = try adding(shortMovie, at: 1, to: photo)
        let items = try #require(try xmp(whole)?[XMLNamespace.googleContainer, "Directory"]?.items).map {
            $0[XMLNamespace.googleContainer, "Item"] ?? $0
        }
        func number(_ item: XMP.Value, _ name: String) -> Int? {
            item[XMLNamespace.googleContainerItem, FileText(name)]?.integer
        }
        #expect(items.count == (gainMap == "none" ? 2 : 3))
        #expect(number(items[0], "Padding") == (before > 0 ? before : nil))
        #expect(items.dropFirst().allSatisfy { number($0, "Padding") == nil })
        let end = try #require(whole.firstRange(of: scan)).upperBound
        let lengths = items.dropFirst().compactMap { number($0, "Length") }
        #expect(end + before + lengths.reduce(0, +) == whole.count)
        let left = try still(whole)
        #expect(
            left.suffix(before + behind + (gainMap == "none" ? 0 : 10))
                == (junk + (gainMap == "none" ? [] : picture) + tail)[...])
    }

    @Test(arguments: [
        "<x:xmpmeta xmlns:x='adobe:ns:meta/' xmlns:rdf='R' xmlns:GCamera='G' xmlns:Container='C' xmlns:Item='I'><rdf:RDF>",
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='R' xmlns:Cam='G' xmlns:GContainer='C'>",
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='R'>",
    ])
    func `name spaces are declared where strict readers look for them`(start: String) throws {
        let spaces = [
            "'R'": XMLNamespace.rdf, "'G'": XMLNamespace.googleCamera, "'C'": XMLNamespace.googleContainer,
            "'I'": XMLNamespace.googleContainerItem,
        ]
        let opened = spaces.reduce(start) { $0.replacingOccurrences(of: $1.key, with: "'\($1.value)'") }
        let packet = opened + "<rdf:Description rdf:about='' xmlns:a='urn:a' a:b='1'/></rdf:RDF></x:xmpmeta>"
        let whole = try adding(shortMovie, at: 1, to: sampleJPEG(xmpSegment(Array(packet.utf8))))
        let text = String(decoding: whole, as: UTF8.self)
        #expect(text.contains(/<rdf:RDF[^>]* xmlns:rdf=/))
        for (prefix, space) in [
            ("GCamera", XMLNamespace.googleCamera), ("Container", XMLNamespace.googleContainer),
            ("Item", XMLNamespace.googleContainerItem),
        ] {
            let tag = try #require(text.firstMatch(of: /<rdf:Description[^>]*>/)).output
            #expect(tag.contains(" xmlns:\(prefix)=\"\(space)\""), "\(tag)")
        }
        #expect(text.contains(" GCamera:MotionPhoto=\"1\"") && text.contains("<Container:Directory><rdf:Seq>"))
        #expect(try xmp(still(whole))?.properties.count == 1)
    }

    @Test func `the identifier moves from the MakerNote to XMP and back`() throws {
        for photo in [try SamplePair.jpeg(), DevicePair.photo] {
            let old = try PhotoMetadata(photo).contentIdentifier.get()
            let moved = try joined(
                motionPhoto(photo).with(
                    FilePieces(inputFile(shortMovie)), presentationTime: nil, movingIdentifier: true))
            #expect(throws: MissingContentIdentifier.self) { try PhotoMetadata(moved).contentIdentifier.get() }
            #expect(try xmp(moved)?[XMLNamespace.livePhoto, "AppleContentIdentifier"]?.text == old)
            let alone = try still(moved)
            #expect(try PhotoMetadata(alone).contentIdentifier.get() == old)
            #expect(try xmp(alone)?[XMLNamespace.livePhoto, "AppleContentIdentifier"] == nil)
            #expect(try PhotoMetadata(alone).exif == PhotoMetadata(photo).exif)
            let kept = try adding(shortMovie, at: nil, to: photo)
            #expect(try PhotoMetadata(kept).contentIdentifier.get() == old)
        }
    }

    @Test func `a photo whose movie was cut off gets another one`() throws {
        let photo = sampleJPEG(
            xmpSegment(googleXMP("G:MotionPhoto='1'", directoryItem("MotionPhoto", "I:Length='99999'"))))
        #expect(throws: ParseError.self) { try video(photo) }
        #expect(try video(adding(shortMovie, at: 0, to: photo))?.range.count == 24)
        #expect(try video(still(photo)) == nil)
    }

    @Test func `what cannot be put together is an error`() throws {
        let junk = SampleHEIF(name: "", appended: Array("no box".utf8)).bytes
        // An item up to the end of the file.
        var endless = SampleHEIF(name: "").bytes
        endless.replaceSubrange(try #require(endless.firstRange(of: big(SampleHEIF.picture.count))), with: big(0))
        let long = xmpSegment(googleXMP("G:a='\(String(repeating: "x", count: 64_900))'"))
        for (photo, movie) in [
            (junk, shortMovie), (endless, shortMovie), (sampleJPEG(long), shortMovie),
            (sampleJPEG(), Array("mdat".utf8)),
            (sampleJPEG(), box("moov", hex("00000000"))), (sampleJPEG(xmpSegment(Array("<a".utf8))), shortMovie),
        ] { #expect(throws: ParseError.self) { try adding(movie, at: 0, to: photo) } }
    }

    @Test(.seeded, arguments: [0, 1, 2])
    func `bytes changed or cut off are read or refused, and what is made can be read`(
        kind: Int
    ) throws {
        let xmp = googleXMP("", directoryItem("Primary", "") + directoryItem("MotionPhoto", "I:Length='24'"))
        let file =
            switch kind {
            case 0: sampleJPEG(jfif, xmpSegment(xmp)) + shortMovie
            case 1: sampleJPEG(jfif, xmpSegment(xmp)) + samsungTrailer(shortMovie)
            default: SampleHEIF(name: "", xmp: xmp, appended: box("mpvd", shortMovie)).bytes
            }
        var generator = SeededGenerator()
        var refused = 0
        for round in 0..<80 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if round.isMultiple(of: 4) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            guard let motion = try? motionPhoto(bytes) else {
                refused += 1
                continue
            }
            if let alone = try? joined(motion.still()) { #expect(alone.count <= bytes.count + 64, "round \(round)") }
            if let whole = try? joined(motion.with(FilePieces(inputFile(longMovie(77))), presentationTime: nil)) {
                #expect(try video(whole)?.range.count == 77, "round \(round)")
            } else {
                refused += 1
            }
        }
        #expect((1..<80).contains(refused))
    }
}
