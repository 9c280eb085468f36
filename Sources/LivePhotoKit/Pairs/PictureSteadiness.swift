import MediaModel

/// How much the pictures of a movie move. The measures, except the first, are those of
/// [livephoto-check](https://github.com/stoffis-git/livephoto-check), which has taken them of Live Photos that moved on the lock
/// screen of a device.
public struct PictureSteadiness: Sendable, Hashable, Codable {
    /// How far the camera gets from where it is at the still time, in the second before it, as a part of the picture's long edge.
    public let cameraTravel: Double
    /// The median of the differences between sampled pictures, in levels of 255: what changes nearly everywhere.
    public let wholeChange: Double
    /// By how much the 95th percentile of the differences is above the median: what changes in parts.
    public let partialChange: Double
    /// How much more of the outer parts of the picture changes than of the whole; 1 for equally much.
    public let edgeShare: Double

    /// - Parameters: as the properties.
    package init(cameraTravel: Double, wholeChange: Double, partialChange: Double, edgeShare: Double) {
        (self.cameraTravel, self.wholeChange) = (cameraTravel, wholeChange)
        (self.partialChange, self.edgeShare) = (partialChange, edgeShare)
    }

    /// The values of the Live Photos that moved.
    private static let (mostWholeChange, mostPartialChange, mostEdgeShare) = (1.67, 70.73, 0.7)
    /// Less is hardly seen.
    private static let visibleTravel = 0.02

    /// What is likely to be refused, each a sentence without a full stop.
    package var problems: [String] {
        func limit(_ value: Double, _ most: Double) -> String {
            "(\(decimal(value, places: 2)); at most \(decimal(most, places: 2)) in Live Photos that are reported to move)"
        }
        var problems: [String] = []
        if wholeChange > Self.mostWholeChange {
            let travel =
                "the camera moves by \(Int((cameraTravel * 100).rounded())) % of the picture in the second before the still"
            problems.append(
                (cameraTravel >= Self.visibleTravel ? travel : "nearly all of the picture changes from frame to frame")
                    + " " + limit(wholeChange, Self.mostWholeChange))
        }
        if partialChange > Self.mostPartialChange {
            problems.append(
                "parts of the picture change very much from frame to frame "
                    + limit(partialChange, Self.mostPartialChange))
        }
        if edgeShare > Self.mostEdgeShare {
            problems.append(
                "much of the movement is at the edges of the picture " + limit(edgeShare, Self.mostEdgeShare))
        }
        return problems
    }
}

extension PictureSteadiness {
    /// - Throws: `DecodingError` for impossible values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value(_ key: CodingKeys, atMost most: Double) throws -> Double {
            let value = try container.decode(Double.self, forKey: key)
            guard 0...most ~= value else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "impossible")
            }
            return value
        }
        self.init(
            cameraTravel: try value(.cameraTravel, atMost: 1e6), wholeChange: try value(.wholeChange, atMost: 255),
            partialChange: try value(.partialChange, atMost: 255), edgeShare: try value(.edgeShare, atMost: 1e6))
    }
}
