import MediaModel
import QuickTime

/// The records of a live-photo-info track: what a camera, or `convert`, measured about each frame.
public struct LivePhotoInfoInspection: Sendable, Hashable, Encodable {
    /// The width of the pictures to which the records refer, in pixels, before rotation; nil if the track does not state it.
    public let width: Int?
    /// The height of these pictures.
    public let height: Int?
    /// In the order of their times, without those that cannot be read.
    public let records: [Record]
    /// The number of records that are damaged or of another version.
    public let unreadable: Int

    /// One record. Values that it does not mark as valid are nil.
    public struct Record: Sendable, Hashable, Encodable {
        /// Seconds on the movie's timeline.
        public let time: Double
        /// In seconds.
        public let exposureTime: Double?
        /// How far the camera has moved since the first frame, to the right and down, in pixels.
        public let motion: [Double]?
        /// How far the camera moves while the frame is exposed, to the right and down, in pixels.
        public let blur: [Double]?
        /// Where the points of a view that all frames share are in this frame: a 3×3 matrix, row by row.
        public let homography: [Double]?
        /// The zoom factor.
        public let zoom: Double?
        /// The sensor's gain.
        public let gain: Double?
        /// The autofocus score.
        public let focusScore: Int64?
        /// The autofocus status.
        public let focusStatus: Int?
        /// The focus mode.
        public let focusMode: Int?
        /// In nanoseconds, on a clock of the camera.
        public let presentationTime: UInt64?
        /// In nanoseconds, on a clock of the camera.
        public let originalPresentationTime: UInt64?
        /// The recipe of the camera's processing.
        public let recipe: Int?
        /// The displacement of the camera's processing.
        public let displacement: Int?
        /// Whether the frame was computed from others.
        public let isInterpolated: Bool?
        /// The faces in the frame.
        public let faces: [Region]
        /// The people in the frame.
        public let humans: [Region]
        /// The cats in the frame.
        public let cats: [Region]
        /// The dogs in the frame.
        public let dogs: [Region]
        /// The other salient objects in the frame.
        public let salientObjects: [Region]
    }

    /// A part of the frame; coordinates are from 0 to 1.
    public struct Region: Sendable, Hashable, Encodable {
        /// The number of the face or object, the same in all frames.
        public let id: Int
        /// The left edge.
        public let x: Double
        /// The upper edge.
        public let y: Double
        /// The width.
        public let width: Double
        /// The height.
        public let height: Double
    }

    init(_ records: LivePhotoInfoRecords) {
        width = records.setup?.dimensions?.width
        height = records.setup?.dimensions?.height
        self.records = records.records.compactMap { record in
            record.info.map { Record(time: record.time, $0) }
        }
        unreadable = records.records.count - self.records.count
    }
}

extension LivePhotoInfoInspection.Record {
    fileprivate init(time: MediaTime, _ info: LivePhotoInfo) {
        func value<Value>(_ flag: LivePhotoInfo.ValidValues, _ value: Value?) -> Value? {
            info.validValues.contains(flag) ? value : nil
        }
        func motionValue<Value>(_ flag: LivePhotoInfo.ValidMotion, _ value: Value?) -> Value? {
            info.validMotion.contains(flag) ? value : nil
        }
        self.time = time.seconds
        exposureTime = value(.exposureTime, Double(info.exposureTime).finite)
        motion = value(.motion, [info.motion.x, info.motion.y].finite)
        blur = value(.blur, [info.blur.x, info.blur.y].finite)
        homography = motionValue(.homography, info.homography.finite)
        zoom = value(.zoom, Double(info.zoom).finite)
        gain = value(.gain, Double(info.gain).finite)
        focusScore = value(.focusScore, info.focusScore)
        focusStatus = value(.focusStatus, Int(info.focusStatus))
        focusMode = value(.focusMode, Int(info.focusMode))
        presentationTime = motionValue(.time, info.time)
        originalPresentationTime = motionValue(.originalTime, info.originalTime)
        recipe = motionValue(.recipe, Int(info.recipe))
        displacement = motionValue(.displacement, Int(info.displacement))
        isInterpolated = motionValue(.interpolated, info.interpolated != 0)
        func regions(_ regions: [LivePhotoInfo.Region]) -> [LivePhotoInfoInspection.Region] {
            regions.compactMap(LivePhotoInfoInspection.Region.init)
        }
        faces = regions(info.faces)
        humans = regions(info.humans)
        cats = regions(info.cats)
        dogs = regions(info.dogs)
        salientObjects = regions(info.salientObjects)
    }
}

extension LivePhotoInfoInspection.Region {
    /// Nil if a coordinate is not a number.
    fileprivate init?(_ region: LivePhotoInfo.Region) {
        guard let edges = region.rectangle.finite, edges.count == 4 else { return nil }
        id = Int(region.id)
        (x, y, width, height) = (edges[0], edges[1], edges[2], edges[3])
    }
}

// JSON has no numbers for others.
extension Double {
    fileprivate var finite: Double? { isFinite ? self : nil }
}

extension [Float] {
    fileprivate var finite: [Double]? { allSatisfy(\.isFinite) ? map { Double($0) } : nil }
}
