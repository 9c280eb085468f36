/// How a picture became another one, for the metadata that are carried over to it.
package struct PictureChange: Sendable, Hashable {
    /// A picture as it is stored, and how it has to be turned for display.
    package struct Picture: Sendable, Hashable {
        package let size: PixelSize
        package let orientation: Orientation

        package init(size: PixelSize, orientation: Orientation) {
            (self.size, self.orientation) = (size, orientation)
        }

        package var uprightSize: PixelSize { orientation.swapsAxes ? size.transposed : size }
    }

    package let old: Picture
    package let new: Picture
    /// From the old upright picture to the new one; nil if that is not known, or if the new one shows another moment.
    package let map: UnitMap?

    package init(from old: Picture, to new: Picture, map: UnitMap?) {
        (self.old, self.new, self.map) = (old, new, map)
    }

    /// From the old stored picture to the new one.
    package var storedMap: UnitMap? {
        map.map { UnitMap(old.orientation).then($0).then(UnitMap(new.orientation.inverse)) }
    }

    /// Whether everything is where it was in the stored picture.
    package var keepsPlaces: Bool { storedMap?.isIdentity == true }
}
