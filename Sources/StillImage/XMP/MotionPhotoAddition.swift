import MediaModel

/// What some phones may look for in a motion photo besides Google's format.
package enum MotionPhotoAddition: Hashable, Sendable {
    /// The record of Samsung's cameras in a JPEG without a gain map.
    case samsungRecord
    /// The properties in XMP and the Exif comment of OPPO's cameras.
    case oppoProperties
    /// A property in XMP of vivo's cameras.
    case vivoProperty
    /// The texts of Huawei's and Honor's cameras at the end of the file, with the frame of the movie that the photo shows,
    /// counted from 0. Not together with Samsung's record, which is at the end too.
    case huaweiTrailer(coverFrame: Int)

    var coverFrame: Int? { if case .huaweiTrailer(let frame) = self { frame } else { nil } }

    /// The comment that OPPO's cameras write (reported by others).
    static let oppoComment = Array("ASCII\0\0\0oplus_8388608".utf8)

    private static let oppo: FileText = "http://ns.oplus.com/photos/1.0/camera/"
    private static let vivo: FileText = "http://ns.vivo.com/photos/1.0/camera/"

    /// Whether it has the properties of OPPO's cameras.
    static func isOPPO(_ xmp: XMP) -> Bool { xmp[oppo, "MotionPhotoOwner"] != nil }

    /// Whether a property of one of these cameras describes a movie in the file. Their other properties stay.
    static func describesMovie(_ name: XMLName) -> Bool {
        [oppo, vivo].contains(name.namespace)
            && ((["MotionPhoto", "LivePhoto"] as [FileText]).contains { name.local.contains($0) }
                || name.local.hasPrefix("Video"))
    }

    /// The properties in XMP, with their usual prefix.
    func properties(of movie: MotionPhotoXMP.Movie) -> [(prefix: FileText, name: XMLName, value: FileText)] {
        switch self {
        case .samsungRecord, .huaweiTrailer: []
        case .oppoProperties:
            [
                ("OpCamera", XMLName(Self.oppo, "MotionPhotoPrimaryPresentationTimestampUs"), FileText(movie.time)),
                ("OpCamera", XMLName(Self.oppo, "MotionPhotoOwner"), "oplus"),
                ("OpCamera", XMLName(Self.oppo, "OLivePhotoVersion"), "2"),
                ("OpCamera", XMLName(Self.oppo, "VideoLength"), "\(movie.length)"),
            ]
        case .vivoProperty: [("VCamera", XMLName(Self.vivo, "VMotionPhotoVersion"), "1")]
        }
    }
}
