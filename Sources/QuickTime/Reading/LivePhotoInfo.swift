package import Bytes

/// One record of a live-photo-info track, version 3: what the camera measured about one frame of the movie.
///
/// The layout is not documented by Apple; it was found by comparing records of device movies (iOS 14.5 to 26.4). A record
/// is written back byte for byte.
package struct LivePhotoInfo: Sendable, Hashable {
    package static let version: UInt32 = 3

    /// Two components in pixels.
    package struct Vector: Sendable, Hashable {
        package var x: Float
        package var y: Float

        package init(x: Float, y: Float) { (self.x, self.y) = (x, y) }
    }

    /// A face, person, animal or salient object in the frame.
    package struct Region: Sendable, Hashable {
        /// Relative to the frame, in nanoseconds.
        package var time: Int64
        /// Left edge, upper edge, width and height as parts of the frame.
        package var rectangle: [Float]
        /// The same in all frames.
        package var id: Int32
        package var value: UInt16
        package var flags: UInt16
    }

    /// Which of the values up to `focusMode` are valid.
    package struct ValidValues: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let exposureTime = ValidValues(rawValue: 1 << 0)
        package static let focusScore = ValidValues(rawValue: 1 << 1)
        package static let motion = ValidValues(rawValue: 1 << 2)
        package static let blur = ValidValues(rawValue: 1 << 3)
        package static let zoom = ValidValues(rawValue: 1 << 4)
        package static let gain = ValidValues(rawValue: 1 << 5)
        package static let focusStatus = ValidValues(rawValue: 1 << 6)
        package static let focusMode = ValidValues(rawValue: 1 << 7)
    }

    /// Which of the values from `homography` on are valid.
    package struct ValidMotion: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let homography = ValidMotion(rawValue: 1 << 0)
        package static let time = ValidMotion(rawValue: 1 << 1)
        package static let originalTime = ValidMotion(rawValue: 1 << 2)
        package static let recipe = ValidMotion(rawValue: 1 << 3)
        package static let displacement = ValidMotion(rawValue: 1 << 4)
        package static let interpolated = ValidMotion(rawValue: 1 << 5)
    }

    /// In seconds.
    package var exposureTime: Float
    package var focusScore: Int64
    /// How far the camera has moved since the first frame: minus the distance that what was in the picture's center moved from
    /// frame to frame.
    package var motion: Vector
    /// How far the camera moves while the frame is exposed.
    package var blur: Vector
    /// The same in all frames of a movie.
    package var zoom: Float
    package var gain: Float
    package var focusStatus: Int8
    package var focusMode: Int8
    package var validValues: ValidValues
    package var faces: [Region]
    package var humans: [Region]
    package var cats: [Region]
    package var dogs: [Region]
    package var salientObjects: [Region]
    package var validMotion: ValidMotion
    /// Where the points of a view that all frames share are in this frame, in pixels of `LivePhotoInfoSetup.dimensions` from the
    /// upper left corner: nine values, row by row, not normalized. The homography of the next frame times the inverse of this
    /// one maps points of this frame to where they are in the next.
    package var homography: [Float]
    /// In nanoseconds; differences are the frames' durations.
    package var time: UInt64
    /// In nanoseconds.
    package var originalTime: UInt64
    package var recipe: UInt8
    package var displacement: Int8
    /// 1 if the frame was not recorded but computed.
    package var interpolated: UInt8
    package var opticalCenter: Vector
    /// Bytes without a known meaning: two before the homography, one before the optical center, four at the end.
    private var reserved: [UInt8]
    private static let reservedSize = 7
}

extension LivePhotoInfo {
    /// A record of what can be measured in pictures.
    ///
    /// - Parameters:
    ///   - time: in nanoseconds.
    ///   - homography: nine values.
    package init(time: UInt64, motion: Vector, blur: Vector, homography: [Float]) {
        (exposureTime, focusScore, zoom, gain, focusStatus, focusMode) = (0, 0, 0, 0, 0, 0)
        (self.motion, self.blur) = (motion, blur)
        validValues = [.motion, .blur]
        (faces, humans, cats, dogs, salientObjects) = ([], [], [], [], [])
        validMotion = [.homography, .time]
        (self.homography, self.time, originalTime) = (homography, time, 0)
        (recipe, displacement, interpolated) = (0, 0, 0)
        opticalCenter = Vector(x: 0, y: 0)
        reserved = [UInt8](repeating: 0, count: Self.reservedSize)
    }

    /// A record of a camera that does not move: no blur, the identity as homography, and a constant exposure time. Others report
    /// that the lock screen plays movies with such records (Documentation/LockScreen.md).
    ///
    /// - Parameter time: of the frame in nanoseconds.
    package init(stillAt time: UInt64) {
        self.init(
            time: Self.clockStart + time, motion: Vector(x: 0, y: 0), blur: Vector(x: 0, y: 0),
            homography: [1, 0, 0, 0, 1, 0, 0, 0, 1])
        exposureTime = 1 / 60
        validValues = [.exposureTime, .blur]
        validMotion = [.homography, .time, .originalTime]
        originalTime = self.time
    }

    /// The clocks of cameras are never at 0 when a movie begins. In nanoseconds.
    private static let clockStart: UInt64 = 1_000_000_000

    /// - Parameter bytes: the value of the key in a sample.
    /// - Throws: `ParseError` for another version, and if bytes are missing or left.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        var reader = ByteReader(bytes, structure: "live-photo-info")
        guard try reader.little(UInt32.self) == Self.version else {
            throw ParseError(
                .unsupported, in: "live-photo-info", at: 0, expected: "a record of version \(Self.version)")
        }
        exposureTime = try reader.float()
        focusScore = try reader.little(Int64.self)
        motion = try Vector(from: &reader)
        blur = try Vector(from: &reader)
        (zoom, gain) = (try reader.float(), try reader.float())
        (focusStatus, focusMode) = (try reader.little(Int8.self), try reader.little(Int8.self))
        validValues = ValidValues(rawValue: try reader.little(UInt16.self))
        faces = try reader.regions(try reader.little(UInt32.self))
        let counts = [
            try reader.little(UInt32.self), try reader.little(UInt32.self), try reader.little(UInt32.self),
            try reader.little(UInt32.self),
        ]
        humans = try reader.regions(counts[0])
        cats = try reader.regions(counts[1])
        dogs = try reader.regions(counts[2])
        salientObjects = try reader.regions(counts[3])
        validMotion = ValidMotion(rawValue: try reader.little(UInt16.self))
        reserved = try reader.bytes(2)
        homography = []
        for _ in 0..<9 { homography.append(try reader.float()) }
        (time, originalTime) = (try reader.little(UInt64.self), try reader.little(UInt64.self))
        (recipe, displacement) = (try reader.little(UInt8.self), try reader.little(Int8.self))
        interpolated = try reader.little(UInt8.self)
        reserved += try reader.bytes(1)
        opticalCenter = try Vector(from: &reader)
        reserved += try reader.bytes(4)
        try reader.finish()
    }

    /// The record, little-endian.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.little(Self.version)
        writer.float(exposureTime)
        writer.little(focusScore)
        for value in [motion.x, motion.y, blur.x, blur.y, zoom, gain] { writer.float(value) }
        writer.little(focusStatus)
        writer.little(focusMode)
        writer.little(validValues.rawValue)
        writer.little(UInt32(faces.count))
        faces.forEach { $0.write(to: &writer) }
        let objects = [humans, cats, dogs, salientObjects]
        objects.forEach { writer.little(UInt32($0.count)) }
        objects.joined().forEach { $0.write(to: &writer) }
        writer.little(validMotion.rawValue)
        writer.append(reserved[..<2])
        homography.forEach { writer.float($0) }
        writer.little(time)
        writer.little(originalTime)
        writer.little(recipe)
        writer.little(displacement)
        writer.little(interpolated)
        writer.append(reserved[2..<3])
        writer.float(opticalCenter.x)
        writer.float(opticalCenter.y)
        writer.append(reserved[3...])
        return writer.bytes
    }
}

extension LivePhotoInfo.Vector {
    fileprivate init(from reader: inout ByteReader) throws(ParseError) {
        (x, y) = (try reader.float(), try reader.float())
    }
}

extension LivePhotoInfo.Region {
    fileprivate static let size = 32

    fileprivate func write(to writer: inout ByteWriter) {
        writer.little(time)
        rectangle.forEach { writer.float($0) }
        writer.little(id)
        writer.little(value)
        writer.little(flags)
    }
}

extension ByteReader {
    fileprivate mutating func little<Value: FixedWidthInteger>(_: Value.Type) throws(ParseError) -> Value {
        try integer(Value.self, .little)
    }

    fileprivate mutating func float() throws(ParseError) -> Float {
        Float(bitPattern: try little(UInt32.self))
    }

    fileprivate mutating func regions(_ count: UInt32) throws(ParseError) -> [LivePhotoInfo.Region] {
        try table(count: Int(count), entrySize: LivePhotoInfo.Region.size) { reader throws(ParseError) in
            LivePhotoInfo.Region(
                time: try reader.little(Int64.self),
                rectangle: [try reader.float(), try reader.float(), try reader.float(), try reader.float()],
                id: try reader.little(Int32.self), value: try reader.little(UInt16.self),
                flags: try reader.little(UInt16.self))
        }
    }
}

extension ByteWriter {
    fileprivate mutating func little(_ value: some FixedWidthInteger) { integer(value, .little) }
    fileprivate mutating func float(_ value: Float) { little(value.bitPattern) }
}
