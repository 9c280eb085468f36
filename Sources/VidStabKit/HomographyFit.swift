/// The homography that maps most points of a picture to where they are in another one. Points that move by themselves are
/// recognized as outliers.
struct HomographyFit {
    /// A point in one picture and in the other; coordinates are from about -1 to 1.
    struct PointPair {
        let from: (x: Double, y: Double)
        let to: (x: Double, y: Double)
    }

    /// Nil if the points do not determine it.
    let homography: Homography?

    /// The weight, relative to the points, of keeping shapes: few points, or points on a line, determine less than eight
    /// numbers.
    private static let rigidity = 1e-3
    private static let rounds = 8

    /// - Parameters:
    ///   - start: about the homography; points far from it are left out at first.
    ///   - precision: the distance up to which no point is an outlier.
    init(_ pairs: [PointPair], start: Homography, precision: Double) {
        var current = start
        for _ in 0..<Self.rounds {
            let distances = pairs.map { Self.distance($0, current) }
            let median = distances.sorted()[distances.count / 2]
            // Three standard deviations, as a normal distribution has this median.
            let limit = max(median * 3 * 1.4826, precision)
            let weights = distances.map { distance in
                let share = 1 - distance * distance / (limit * limit)
                return share > 0 ? share * share : 0
            }
            guard let next = Self.solve(pairs, weights) else {
                homography = nil
                return
            }
            current = next
        }
        let inliers = pairs.count { Self.distance($0, current) < precision * 2 }
        // Pictures with nothing in common, such as before and after a cut.
        homography = inliers * 3 >= pairs.count ? current : nil
    }

    private static func distance(_ pair: PointPair, _ homography: Homography) -> Double {
        let found = homography.mapping(x: pair.from.x, y: pair.from.y)
        let (x, y) = (found.x - pair.to.x, found.y - pair.to.y)
        return (x * x + y * y).squareRoot()
    }

    /// The weighted least squares of the equations that are linear in the elements, as differences from the identity.
    private static func solve(_ pairs: [PointPair], _ weights: [Double]) -> Homography? {
        var system = LinearSystem(unknowns: 8)
        for (pair, weight) in zip(pairs, weights) where weight > 0 {
            let (x, y, u, v) = (pair.from.x, pair.from.y, pair.to.x, pair.to.y)
            system.add([x, y, 1, 0, 0, 0, -x * u, -y * u], equals: u - x, weight)
            system.add([0, 0, 0, x, y, 1, -x * v, -y * v], equals: v - y, weight)
        }
        let rigidity = weights.reduce(0, +) * Self.rigidity
        system.add([1, 0, 0, 0, -1, 0, 0, 0], equals: 0, rigidity)
        system.add([0, 1, 0, 1, 0, 0, 0, 0], equals: 0, rigidity)
        system.add([0, 0, 0, 0, 0, 0, 1, 0], equals: 0, rigidity)
        system.add([0, 0, 0, 0, 0, 0, 0, 1], equals: 0, rigidity)
        return system.solution.map {
            Homography(1 + $0[0], $0[1], $0[2], $0[3], 1 + $0[4], $0[5], $0[6], $0[7], 1)
        }
    }
}

/// Weighted linear equations that are solved by least squares.
private struct LinearSystem {
    private let unknowns: Int
    /// The normal equations, each followed by its right side.
    private var rows: [[Double]]

    init(unknowns: Int) {
        self.unknowns = unknowns
        rows = [[Double]](repeating: [Double](repeating: 0, count: unknowns + 1), count: unknowns)
    }

    mutating func add(_ factors: [Double], equals value: Double, _ weight: Double) {
        for row in 0..<unknowns where factors[row] != 0 {
            for column in 0..<unknowns { rows[row][column] += weight * factors[row] * factors[column] }
            rows[row][unknowns] += weight * factors[row] * value
        }
    }

    /// By Gaussian elimination; nil if there is no single one.
    var solution: [Double]? {
        var rows = rows
        for column in 0..<unknowns {
            guard let pivot = (column..<unknowns).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<unknowns where row != column {
                let factor = rows[row][column] / rows[column][column]
                guard factor != 0 else { continue }
                for index in column...unknowns { rows[row][index] -= factor * rows[column][index] }
            }
        }
        let values = (0..<unknowns).map { rows[$0][unknowns] / rows[$0][$0] }
        return values.allSatisfy(\.isFinite) ? values : nil
    }
}
