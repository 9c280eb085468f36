import Bytes
import MediaModel
import StillImage
import Testing

@Suite struct ExifTests {
    static let full = Exif(
        orientation: .rotated90Clockwise, size: PixelSize(width: 4032, height: 3024),
        contentIdentifier: ContentIdentifier(identifier),
        captureDate: CaptureDate(
            year: 2025, month: 2, day: 28, hour: 23, minute: 5, second: 59, utcOffset: -(3 * 60 + 30)),
        make: "Førde", model: "Model 1", software: "9.1",
        location: GeographicLocation(latitude: -37.789, longitude: 175.2995, altitude: -35.332))

    private func bytes(_ exif: Exif) -> [UInt8] {
        return exif.tiff.bytes
    }

    @Test func `everything that is written is read again`() throws {
        var exif = Self.full
        let location = exif.location
        exif.location = nil
        #expect(try Exif(from: reader(bytes(exif))) == exif)
        #expect(try Exif(from: reader(bytes(Exif()))) == Exif())

        let read = try #require(try Exif(from: reader(bytes(Self.full))).location)
        #expect(abs(read.latitude - (location?.latitude ?? 0)) < 2e-8)
        #expect(abs(read.longitude - (location?.longitude ?? 0)) < 2e-8)
        #expect(abs((read.altitude ?? 0) - (location?.altitude ?? 0)) < 0.001)
    }

    @Test func `the same photo gives the same bytes`() {
        #expect(bytes(Self.full) == bytes(Self.full))
    }

    @Test func `nothing is said that is not known`() throws {
        let tiff = Exif().tiff
        #expect(tiff.gps == nil)
        for tag in [TIFFTag.make, .model, .software, .dateTime] { #expect(tiff.image[tag] == nil) }
        let exif = try #require(tiff.exif)
        for tag in [TIFFTag.makerNote, .dateTimeOriginal, .offsetTime, .pixelXDimension] { #expect(exif[tag] == nil) }
        #expect(exif[.exifVersion]?.data == Array("0232".utf8))
        #expect(exif[.colorSpace]?.unsigned == 1)
        #expect(tiff.image[.xResolution]?.rationals == [TIFFRational(72, 1)])
    }

    @Test func `a date has its offset in all three pairs of fields`() throws {
        let exif = try #require(Self.full.tiff.exif)
        #expect(Self.full.tiff.image[.dateTime]?.text == "2025:02:28 23:05:59")
        #expect(exif[.dateTimeOriginal]?.text == "2025:02:28 23:05:59")
        #expect(exif[.dateTimeDigitized]?.text == "2025:02:28 23:05:59")
        for tag in [TIFFTag.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized] {
            #expect(exif[tag]?.text == "-03:30")
        }
    }

    @Test func `a place is degrees, minutes and seconds, rounded with the carry`() throws {
        let place = GeographicLocation(latitude: 59.999_999_999_99, longitude: -0.5, altitude: 0.0004)
        let gps = try #require(Exif(location: place).tiff.gps)
        #expect(gps[.gpsLatitudeReference]?.text == "N")
        #expect(gps[.gpsLatitude]?.rationals == [TIFFRational(60, 1), TIFFRational(0, 1), TIFFRational(0, 10_000)])
        #expect(gps[.gpsLongitudeReference]?.text == "W")
        #expect(gps[.gpsLongitude]?.rationals == [TIFFRational(0, 1), TIFFRational(30, 1), TIFFRational(0, 10_000)])
        #expect(gps[.gpsAltitude]?.rationals == [TIFFRational(0, 1000)])
    }

    @Test(
        arguments: [
            ("2025:02:29 10:00:00", nil), ("0000:00:00 00:00:00", nil), ("    :  :     :  :  ", nil), ("", nil),
            ("2025:02:28 10:00:60", nil), ("２025:02:28 10:00:0", nil),
            ("2024:02:29 00:00:00", CaptureDate(year: 2024, month: 2, day: 29, hour: 0, minute: 0, second: 0)),
        ] as [(String, CaptureDate?)])
    func `a date that no clock shows is none`(text: String, date: CaptureDate?) {
        let exif = IFD([.ascii(.dateTimeOriginal, text), .ascii(.offsetTimeOriginal, "+99:99")])
        #expect(Exif(from: TIFF(exif: exif)).captureDate == date)
    }

    @Test(
        arguments: [
            ("+00:00", 0), ("-00:30", -30), ("+14:00", 840), ("-09:30", -570), ("Z", nil), ("+0900", nil),
            ("+25:00", nil),
        ] as [(String, Int?)])
    func `an offset is hours and minutes with a sign`(text: String, minutes: Int?) {
        let exif = IFD([.ascii(.dateTimeOriginal, "2024:02:29 00:00:00"), .ascii(.offsetTimeOriginal, text)])
        let date = Exif(from: TIFF(exif: exif)).captureDate
        #expect(date?.utcOffset == minutes)
        #expect((date == nil) == (text == "+25:00"))
    }

    @Test func `values that make no sense are as if they were not there`() {
        let gps = IFD([
            .ascii(.gpsLatitudeReference, "N"), .rational(.gpsLatitude, TIFFRational(91, 1)),
            .ascii(.gpsLongitudeReference, "E"), .short(.gpsLongitude, 1),
        ])
        let tiff = TIFF(
            image: IFD([.short(.orientation, 9), .short(.make, 1)]),
            exif: IFD([.ascii(.pixelXDimension, "wide"), .long(.pixelYDimension, 3)]), gps: gps)
        #expect(Exif(from: tiff) == Exif())
    }
}
