/// Changes of the picture, which apply to the photo and to every frame of the movie alike. Nil leaves a property as it is.
///
/// Rotation and mirroring come first: crop rectangles and shapes (`Framing`) apply to the turned picture. Tone and colour
/// are adjusted after scaling, so that all strengths mean the same at every size.
public struct Adjustments: Sendable, Hashable, Codable {
    /// Turns the upright picture clockwise.
    public var rotation: Rotation?
    /// Mirrors the turned picture.
    public var flip: FlipDirection?
    /// Turns the picture clockwise by a small angle, and enlarges it until no corner is empty.
    public var straightening: StraighteningAngle?
    /// Brightness in stops: 1 doubles the light.
    public var exposure: ExposureValue?
    /// Difference between light and dark.
    public var contrast: AdjustmentAmount?
    /// Colourfulness; -100 is gray.
    public var saturation: AdjustmentAmount?
    /// Towards orange, or, negative, towards blue.
    public var warmth: AdjustmentAmount?
    /// Towards magenta, or, negative, towards green.
    public var tint: AdjustmentAmount?
    /// Darkens the corners.
    public var vignette: AdjustmentStrength?
    /// Sharpens edges.
    public var sharpening: AdjustmentStrength?
    /// Removes noise.
    public var denoising: AdjustmentStrength?
    /// A table that maps colours to others, after the adjustments above.
    public var colorTable: LookupTableFile?
    /// Filters of libavfilter, after all other adjustments.
    public var filter: FilterChain?

    /// Steadies a shaky movie: the picture is turned, shifted and enlarged, by at most a fifth, until no frame shows an
    /// edge.
    public var stabilization: OptionSwitch?

    /// No change.
    public init() {}

    /// Whether the picture is at most rotated and mirrored.
    package var turnsAtMost: Bool {
        var others = self
        (others.rotation, others.flip) = (nil, nil)
        return others.isIdentity
    }

    /// Whether nothing changes: amounts of 0 are like none.
    public var isIdentity: Bool {
        let amounts = [
            straightening?.hundredths, exposure?.hundredths, contrast?.value, saturation?.value, warmth?.value,
            tint?.value,
            vignette?.value, sharpening?.value, denoising?.value,
        ]
        return rotation == nil && flip == nil && stabilization != .on && colorTable == nil && filter == nil
            && amounts.allSatisfy { $0 ?? 0 == 0 }
    }
}
