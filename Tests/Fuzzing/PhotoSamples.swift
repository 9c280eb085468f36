import Bytes
import ISOBMFF
import MediaModel
import StillImage
import TestSupport

/// As much of a movie as is looked at in a photo.
let movieStart = bytes { writer in
    writer.box("ftyp") {
        $0.text("mp42")
        $0.zeros(4)
        $0.text("isommp42")
    }
}

/// Exif data as this program writes them, and with another maker's note in little-endian order.
func exifSamples() -> [[UInt8]] {
    let full = Exif(
        orientation: .rotated180, size: PixelSize(width: 16, height: 8),
        contentIdentifier: ContentIdentifier("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"),
        captureDate: CaptureDate(year: 2001, month: 2, day: 3, hour: 4, minute: 5, second: 6, utcOffset: 90),
        make: "Make", model: "Model", software: "Software",
        location: GeographicLocation(latitude: 51.5, longitude: -0.125, altitude: 11))
    let littleEndian: [UInt8] =
        Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0]
        + [0x0F, 1, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0]  // Make
        + [0x69, 0x87, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0]  // Exif
        + [0, 0, 0, 0, 2, 0]
        + [0x9A, 0x82, 5, 0, 1, 0, 0, 0, 68, 0, 0, 0]  // ExposureTime
        + [0x7C, 0x92, 7, 0, 8, 0, 0, 0, 76, 0, 0, 0]  // MakerNote
        + [0, 0, 0, 0] + [1, 0, 0, 0, 60, 0, 0, 0] + Array("Maker\0\0\0".utf8)
    return [full.tiff.bytes, Exif().tiff.bytes, littleEndian]
}

func jpegSamples() -> [[UInt8]] {
    let photos = xmpSamples().compactMap { jpegSample(xmp: $0) }
    let segments: [(UInt8, [UInt8])] =
        [(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])]
        + exifSamples().prefix(1).map { (0xE1, Array("Exif\0\0".utf8) + $0) }
        + [
            (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + Array("profile".utf8)),
            (
                0xE2,
                Array("MPF\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0xB0, 2, 0, 7, 0, 0, 0, 16, 0, 0, 0, 26, 0, 0, 0, 0]
                    + [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 99, 0, 0, 0, 0]
            ),
            (0xFE, Array("comment".utf8)),
        ]
    return photos.prefix(1).map { $0 + movieStart } + [jpeg(segments) + samsungTrailer(movieStart)]
}

/// Nil for XMP that a segment does not hold.
func jpegSample(xmp: [UInt8]) -> [UInt8]? {
    let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp
    return content.count <= JPEG.contentLimit ? jpeg([(0xE1, content)]) : nil
}

/// A JPEG of 16 by 8 pixels as far as its headers say.
private func jpeg(_ segments: [(marker: UInt8, content: [UInt8])]) -> [UInt8] {
    bytes { writer in
        writer.append([0xFF, 0xD8])
        for (marker, content) in segments + [(0xC0, [8, 0, 8, 0, 16, 1, 1, 0x22, 0])] {
            writer.append([0xFF, marker])
            writer.integer(UInt16(content.count + 2))
            writer.append(content)
        }
        writer.append([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x12, 0xFF, 0xD9])
    }
}

func samsungTrailer(_ data: [UInt8]) -> [UInt8] {
    bytes { writer in
        let name = "MotionPhoto_Data"
        let size = UInt32(8 + name.utf8.count + data.count)
        for number in [0, 0x0A30] as [UInt16] { writer.integer(number, .little) }
        writer.integer(UInt32(name.utf8.count), .little)
        writer.text(name)
        writer.append(data)
        writer.text("SEFH")
        for number in [107, 1] as [UInt32] { writer.integer(number, .little) }
        for number in [0, 0x0A30] as [UInt16] { writer.integer(number, .little) }
        for number in [size, size, 24] { writer.integer(number, .little) }
        writer.text("SEFT")
    }
}

func xmpSamples() -> [[UInt8]] {
    let head = """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:G="http://ns.google.com/photos/1.0/camera/" xmlns:C="http://ns.google.com/photos/1.0/container/"
        xmlns:I="http://ns.google.com/photos/1.0/container/item/"
        """
    let tail = "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    let texts = [
        """
        G:MotionPhoto="1" G:MotionPhotoVersion="1" G:MotionPhotoPresentationTimestampUs="2968555"><C:Directory><rdf:Seq>
        <rdf:li rdf:parseType="Resource"><C:Item I:Mime="image/jpeg" I:Semantic="Primary" I:Padding="0"/></rdf:li>
        <rdf:li rdf:parseType="Resource"><C:Item I:Mime="video/mp4" I:Semantic="MotionPhoto" I:Length="24"/></rdf:li>
        </rdf:Seq></C:Directory>
        """,
        """
        G:MicroVideo="1" G:MicroVideoOffset="24"><G:p rdf:resource="urn:x"/><G:q xml:lang="en">&#65;&lt;<![CDATA[<]]></G:q>
        <!-- a comment --><G:r><rdf:Description G:a="1"><rdf:value>2</rdf:value></rdf:Description></G:r>
        """,
    ].map { head + " " + $0 + tail }
    let wide = texts[1].utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return texts.map { Array($0.utf8) } + [[0xFE, 0xFF] + wide]
}

/// A HEIC of 64 by 48 pixels as far as its boxes say, its Exif data in the file or in `idat`; the second as motion photo.
func heifSamples() -> [[UInt8]] {
    [heif(method: 0) { _ in }, heif(method: 1) { $0.box("mpvd") { $0.append(movieStart) } }]
        .map { $0 + samsungTrailer(movieStart) }
}

private func heif(method: UInt16, _ behind: (inout ByteWriter) -> Void) -> [UInt8] {
    let exif = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + (exifSamples().first ?? [])
    let xmp = xmpSamples().first ?? []
    func file(mediaOffset: Int) -> (bytes: [UInt8], mediaOffset: Int) {
        let ftyp = bytes { writer in
            writer.box("ftyp") {
                $0.text("heic")
                $0.zeros(4)
                $0.text("mif1heic")
            }
        }
        let meta = bytes { writer in
            writer.box("meta") { heifMeta(&$0, method: method, mediaOffset: mediaOffset, exif: exif, xmp: xmp) }
        }
        let media = bytes { writer in writer.box("mdat") { $0.append(Array("picture".utf8) + exif + xmp) } }
        return (ftyp + meta + media + bytes(behind), ftyp.count + meta.count + 8)
    }
    return file(mediaOffset: file(mediaOffset: 0).mediaOffset).bytes
}

private func heifMeta(
    _ writer: inout ByteWriter, method: UInt16, mediaOffset: Int, exif: [UInt8], xmp: [UInt8]
) {
    writer.zeros(4)
    writer.box("hdlr") {
        $0.zeros(8)
        $0.text("pict")
        $0.zeros(13)
    }
    writer.box("pitm") { $0.append([0, 0, 0, 0, 0, 1]) }
    writer.box("iinf") { writer in
        writer.append([0, 0, 0, 0, 0, 3])
        for (id, type) in [(UInt16(1), "hvc1\0"), (2, "Exif\0"), (3, "mime\0application/rdf+xml\0")] {
            writer.box("infe") {
                $0.append([2, 0, 0, 0])
                $0.integer(id)
                $0.zeros(2)
                $0.text(type)
            }
        }
    }
    writer.box("iref") { writer in
        writer.zeros(4)
        for id in [2, 3] as [UInt16] {
            writer.box("cdsc") { for number in [id, 1, 1] { $0.integer(number) } }
        }
    }
    writer.box("iprp") { writer in
        writer.box("ipco") { writer in
            writer.box("ispe") { $0.append([0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 48]) }
            writer.box("irot") { $0.append([3]) }
            // Main profile, level 3, 4:2:0 of 8 bits, no parameter sets: other readers want to have one.
            writer.box("hvcC") { $0.append(hex("01 01 60000000 900000000000 5a f000 fc fd f8 f8 0000 0f 00")) }
        }
        writer.box("ipma") { $0.append([0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 3, 0x81, 2, 0x83]) }
    }
    if method == 1 { writer.box("idat") { $0.append(exif) } }
    writer.box("iloc") { writer in
        writer.append([1, 0, 0, 0, 0x44, 0x40, 0, 3])
        let items: [(UInt16, UInt16, Int, Int)] = [
            (1, 0, mediaOffset, 7), (2, method, method == 1 ? 0 : mediaOffset + 7, exif.count),
            (3, 0, mediaOffset + 7 + exif.count, xmp.count),
        ]
        for (id, method, offset, count) in items {
            for number in [id, method, 0] { writer.integer(number) }
            writer.integer(UInt32(0))
            writer.integer(UInt16(1))
            for number in [offset, count] { writer.integer(UInt32(number)) }
        }
    }
}
