/// Sums over the samples of a block of a luma plane, on the scale of video.
struct BlockSums {
    /// Sums over differences in one direction.
    struct Direction {
        /// Of squared differences between the neighbours on both sides, two samples apart.
        fileprivate(set) var overTwo = 0
        /// Of squared differences between the samples next to them, four samples apart.
        fileprivate(set) var overFour = 0
        /// Of the absolute differences over two samples.
        fileprivate(set) var absolute = 0
        /// How many samples are equal to the next one.
        fileprivate(set) var equal = 0

        fileprivate mutating func add(_ other: Direction) {
            overTwo += other.overTwo
            overFour += other.overFour
            absolute += other.absolute
            equal += other.equal
        }
    }

    private(set) var count = 0
    private(set) var horizontal = Direction()
    private(set) var vertical = Direction()
    /// How many samples are nearly white.
    private(set) var white = 0
    /// How many are bright, but not nearly white, in a range that is twice as wide.
    private(set) var bright = 0
    private var values = 0
    private var squares = 0
    /// Of the absolute results of a filter that suppresses edges (J. Immerkær, "Fast Noise Variance Estimation", 1996).
    private var residues = 0

    /// From here on, samples are nearly white, and bright.
    private static let (whiteFrom, brightFrom): (Int32, Int32) = (230, 216)

    init() {}

    /// - Parameters:
    ///   - row: the length of a row of the plane, which extends at least two samples beyond the block on each side.
    ///   - width: of the block, at most 16, as is its height.
    init(_ luma: [UInt8], row: Int, x: Int, y: Int, width: Int, height: Int) {
        let luma = luma.span
        guard width > 0, height > 0, x >= 2, y >= 2, (y + height + 1) * row + x + width < luma.count else { return }
        // At most 256 samples, so 32 bits are enough; without checks, the loop is vectorized.
        var (across, down) = (SmallDirection(), SmallDirection())
        var (values, squares, white, bright, residues) = (Int32(0), Int32(0), Int32(0), Int32(0), UInt32(0))
        for line in y..<y + height {
            let start = line * row + x
            for column in 0..<width {
                let place = start &+ column
                func sample(_ offset: Int) -> Int32 { Int32(truncatingIfNeeded: luma[unchecked: place &+ offset]) }
                let value = sample(0)
                let (left, right, above, below) = (sample(-1), sample(1), sample(-row), sample(row))
                across.add(right &- left, sample(2) &- sample(-2), next: right &- value)
                down.add(below &- above, sample(2 * row) &- sample(-2 * row), next: below &- value)
                let corners = sample(-row - 1) &+ sample(-row + 1) &+ sample(row - 1) &+ sample(row + 1)
                let sides = left &+ right &+ above &+ below
                residues &+= (corners &- 2 &* sides &+ 4 &* value).magnitude
                values &+= value
                squares &+= value &* value
                white &+= value >= Self.whiteFrom ? 1 : 0
                bright &+= value >= Self.brightFrom ? 1 : 0
            }
        }
        (horizontal, vertical) = (across.sums, down.sums)
        (self.residues, self.values, self.squares) = (Int(residues), Int(values), Int(squares))
        (self.white, self.bright) = (Int(white), Int(bright &- white))
        count = width * height
    }

    mutating func add(_ other: BlockSums) {
        count += other.count
        horizontal.add(other.horizontal)
        vertical.add(other.vertical)
        white += other.white
        bright += other.bright
        values += other.values
        squares += other.squares
        residues += other.residues
    }

    var mean: Double { Double(values) / Double(max(count, 1)) }
    var variance: Double { Double(squares) / Double(max(count, 1)) - mean * mean }
    /// The standard deviation of noise in a block without structure: the mean absolute residue times the root of π/2,
    /// divided by the filter's norm.
    var noise: Double { Double(residues) / Double(max(count, 1)) * 1.2533 / 6 }

    private struct SmallDirection {
        private var overTwo = Int32(0)
        private var overFour = Int32(0)
        private var absolute = UInt32(0)
        private var equal = Int32(0)

        @inline(__always)
        mutating func add(_ two: Int32, _ four: Int32, next: Int32) {
            overTwo &+= two &* two
            overFour &+= four &* four
            absolute &+= two.magnitude
            equal &+= next == 0 ? 1 : 0
        }

        var sums: Direction {
            Direction(overTwo: Int(overTwo), overFour: Int(overFour), absolute: Int(absolute), equal: Int(equal))
        }
    }
}
