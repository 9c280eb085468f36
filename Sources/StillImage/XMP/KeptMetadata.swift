/// What stays of the metadata outside of Exif, which may repeat Exif: XMP, and Photoshop's data such as IPTC in a JPEG.
package enum KeptMetadata: Sendable, Hashable {
    case all
    /// Everything but where the photo was taken. What cannot be read goes too, and copies of other metadata in Photoshop's data.
    case allButLocation
    case nothing
}
