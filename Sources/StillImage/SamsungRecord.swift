import Bytes
import ISOBMFF

/// A movie as a record of Samsung's trailer, in such a way that Google's format applies too: the directory is in a box
/// `free` at the movie's end.
struct SamsungRecord {
    let header: [UInt8]
    private(set) var movie: FilePieces

    /// That of a Galaxy S20 FE.
    private static let version: UInt32 = 107
    private static let name = "MotionPhoto_Data"

    init(_ video: FilePieces) {
        var writer = ByteWriter()
        writer.integer(UInt16(0))
        writer.integer(SamsungTrailer.motionPhotoData, .little)
        writer.integer(UInt32(Self.name.utf8.count), .little)
        writer.text(Self.name)
        header = writer.bytes
        let size = header.count + video.count
        var directory = ByteWriter()
        directory.text("SEFH")
        directory.integer(Self.version, .little)
        directory.integer(UInt32(1), .little)
        directory.integer(UInt16(0))
        directory.integer(SamsungTrailer.motionPhotoData, .little)
        directory.integer(UInt32(clamping: size + BoxHeader.shortSize), .little)
        directory.integer(UInt32(clamping: size), .little)
        directory.integer(UInt32(directory.count), .little)
        directory.text("SEFT")
        movie = video
        movie.append(BoxHeader("free", payloadSize: directory.count).bytes + directory.bytes)
    }
}
