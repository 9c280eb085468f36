/// What some phones may look for in a motion photo besides Google's format.
package enum MotionPhotoAddition: Hashable, Sendable {
    /// The record of Samsung's cameras in a JPEG without a gain map.
    case samsungRecord
    /// The properties in XMP and the Exif comment of OPPO's cameras.
    case oppoProperties
    /// A property in XMP of vivo's cameras.
    case vivoProperty

    /// The comment that OPPO's cameras write (reported by others).
    static let oppoComment = Array("ASCII\0\0\0oplus_8388608".utf8)

    private static let oppo = "http://ns.oplus.com/photos/1.0/camera/"
    private static let vivo = "http://ns.vivo.com/photos/1.0/camera/"

    /// Whether it has the properties of OPPO's cameras.
    static func isOPPO(_ xmp: XMP) -> Bool { xmp[oppo, "MotionPhotoOwner"] != nil }

    /// The names of all properties that are added.
    static let properties = Set(
        ["MotionPhotoOwner", "OLivePhotoVersion", "VideoLength", "MotionPhotoPrimaryPresentationTimestampUs"].map {
            XMLName(oppo, $0)
        } + [XMLName(vivo, "VMotionPhotoVersion")])

    /// The properties in XMP, with their usual prefix.
    func properties(of movie: MotionPhotoXMP.Movie) -> [(prefix: String, name: XMLName, value: String)] {
        switch self {
        case .samsungRecord: []
        case .oppoProperties:
            [
                ("OpCamera", XMLName(Self.oppo, "MotionPhotoPrimaryPresentationTimestampUs"), movie.time),
                ("OpCamera", XMLName(Self.oppo, "MotionPhotoOwner"), "oplus"),
                ("OpCamera", XMLName(Self.oppo, "OLivePhotoVersion"), "2"),
                ("OpCamera", XMLName(Self.oppo, "VideoLength"), "\(movie.length)"),
            ]
        case .vivoProperty: [("VCamera", XMLName(Self.vivo, "VMotionPhotoVersion"), "1")]
        }
    }
}
