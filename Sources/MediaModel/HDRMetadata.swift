/// The static metadata of HDR10, which belong to PQ: the display on which a clip was mastered (SMPTE ST 2086) and its
/// brightest pixel and frame (CTA-861.3).
package struct HDRMetadata: Sendable, Hashable {
    /// A chromaticity in the colour space of CIE 1931, in units of 0.00002.
    package struct Chromaticity: Sendable, Hashable {
        package let x: UInt16
        package let y: UInt16

        package init(x: UInt16, y: UInt16) { (self.x, self.y) = (x, y) }
    }

    package struct Display: Sendable, Hashable {
        package let (red, green, blue, white): (Chromaticity, Chromaticity, Chromaticity, Chromaticity)
        /// In units of 0.0001 cd/m².
        package let (brightest, darkest): (UInt32, UInt32)

        package init(
            red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity, brightest: UInt32,
            darkest: UInt32
        ) {
            (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
            (self.brightest, self.darkest) = (brightest, darkest)
        }
    }

    /// In cd/m².
    package struct LightLevel: Sendable, Hashable {
        /// Of the brightest pixel (MaxCLL).
        package let pixel: UInt16
        /// Of the brightest frame on average (MaxFALL).
        package let frame: UInt16

        package init(pixel: UInt16, frame: UInt16) { (self.pixel, self.frame) = (pixel, frame) }
    }

    package var display: Display?
    package var lightLevel: LightLevel?

    /// Nil if there is neither.
    package init?(display: Display?, lightLevel: LightLevel?) {
        guard display != nil || lightLevel != nil else { return nil }
        (self.display, self.lightLevel) = (display, lightLevel)
    }
}
