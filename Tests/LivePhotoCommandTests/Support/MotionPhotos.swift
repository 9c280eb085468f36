import TestSupport
import Testing

/// Photos with a movie behind them, as Google's and Samsung's phones write them.
enum MotionPhotos {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// What is said of its movie.
        let text: String
    }

    private static let size = DevicePair.movie.count + typed.count
    /// They are told by it.
    private static let typed = hex("00000014 'ftypqt  ' 00000000 'qt  '")
    static let movie = typed + DevicePair.movie

    private static func jpeg(_ attributes: String, _ items: String = "") -> [UInt8] {
        let xmp = """
            http://ns.adobe.com/xap/1.0/\u{0}<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
            xmlns:G='http://ns.google.com/photos/1.0/camera/' xmlns:C='http://ns.google.com/photos/1.0/container/'
            xmlns:I='http://ns.google.com/photos/1.0/container/item/'><r:Description \(attributes)>
            <C:Directory><r:Seq>\(items)</r:Seq></C:Directory></r:Description></r:RDF>
            """
        let length = xmp.utf8.count + 2
        return hex("ffd8 ffe1") + [UInt8(length >> 8), UInt8(length & 0xFF)] + Array(xmp.utf8)
            + picture
    }

    private static let picture =
        hex("ffc0 000b 08 0008 0010 01 012200")  // 8 bits, 8 lines of 16
        + hex("ffda 0008 01 0100 003f00 1234 ffd9")  // a scan and its end

    /// A photo without a movie.
    static let plain = jpeg("")

    static let microVideo = jpeg("G:MicroVideo='1' G:MicroVideoOffset='\(size)'") + movie

    static let motionPhoto =
        jpeg(
            "G:MotionPhoto='1' G:MotionPhotoPresentationTimestampUs='900000'",
            "<r:li I:Semantic='Primary'/><r:li I:Semantic='MotionPhoto' I:Length='\(size)'/>") + movie

    /// As Samsung's phones wrote it before there was XMP.
    static var samsungWithoutXMP: [UInt8] { samsung(of: hex("ffd8") + picture) }

    /// One record, and the directory that tells how far before it the record stands.
    static func samsung(_ movie: [UInt8] = movie, of photo: [UInt8] = plain) -> [UInt8] {
        let record = hex("0000 300a 10000000 'MotionPhoto_Data'") + movie
        let directory = hex("'SEFH' 6b000000 01000000 0000 300a") + little(record.count, 4) + little(record.count, 4)
        return photo + record + directory + little(directory.count, 4) + hex("'SEFT'")
    }

    static let all = [
        Sample(
            testDescription: "Motion Photo", bytes: motionPhoto,
            text: "Motion Photo, \(size) bytes from byte \(motionPhoto.count - size), the photo at 0.9 s"),
        Sample(
            testDescription: "MicroVideo", bytes: microVideo,
            text: "MicroVideo, \(size) bytes from byte \(microVideo.count - size)"),
        Sample(
            testDescription: "Samsung", bytes: samsung(),
            text: "Samsung, \(size) bytes from byte \(jpeg("").count + 24)"),
    ]
}
