import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// Packing and extracting the same photo several times.
@Suite struct MotionPhotoRoundTests {
    private struct Round {
        let packed: [UInt8]
        let extracted: [UInt8]
    }

    private static let identified = ExifUpdate(contentIdentifier: .set(ContentIdentifier()))
    /// The note of another camera maker, and a comment after it.
    private static let foreignNote = TIFF(
        image: IFD([.ascii(.make, "Maker")]),
        exif: IFD([.undefined(.makerNote, Array("Maker".utf8)), .undefined(.userComment, Array("ASCII\0\0\0me".utf8))]),
        gps: nil)

    static let photos: [(name: String, bytes: @Sendable () throws -> [UInt8])] = [
        ("JPEG without Exif data", { try PhotoEditor(sampleJPEG(jfif)).applying(identified) }),
        ("JPEG", { try PhotoEditor(sampleJPEG(jfif, exifSegment(littleEndianTIFF))).applying(identified) }),
        ("other MakerNote", { try PhotoEditor(sampleJPEG(exifSegment(foreignNote.bytes))).applying(identified) }),
        ("minimal Exif data", { sampleJPEG(exifSegment(minimalTIFF)) }), ("device's HEIC", { DevicePair.photo }),
        (
            "HEIC with another identifier",
            {
                let removed = try PhotoEditor(DevicePair.photo).applying(ExifUpdate(contentIdentifier: .remove))
                return try PhotoEditor(removed).applying(identified)
            }
        ),
    ]

    private func bytes(_ pieces: FilePieces) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try pieces.forEach { bytes += $0 }
        return bytes
    }

    private func round(_ photo: [UInt8], _ additions: Set<MotionPhotoAddition>) throws -> Round {
        let packed = try bytes(
            MotionPhoto(PhotoReader(inputFile(photo))).with(
                FilePieces(inputFile(shortMovie)), presentationTime: .zero, movingIdentifier: true,
                additions: additions))
        return Round(packed: packed, extracted: try bytes(MotionPhoto(PhotoReader(inputFile(packed))).still()))
    }

    @Test(arguments: photos.indices, [[], [.oppoProperties, .vivoProperty]] as [Set<MotionPhotoAddition>])
    func `rounds after the first change nothing`(index: Int, additions: Set<MotionPhotoAddition>) throws {
        let photo = try Self.photos[index].bytes()
        let first = try round(photo, additions)
        let second = try round(first.extracted, additions)
        let third = try round(second.extracted, additions)
        // In a HEIC, the second round may move Exif data that get longer in between.
        if additions.isEmpty { #expect(second.extracted == first.extracted) }
        #expect(third.extracted == second.extracted && third.packed == second.packed)
        #expect(
            try PhotoMetadata(third.extracted).contentIdentifier.get() == PhotoMetadata(photo).contentIdentifier.get())
        let (old, new) = (try PhotoMetadata(photo).exif, try PhotoMetadata(third.extracted).exif)
        #expect(old == new)
    }
}
