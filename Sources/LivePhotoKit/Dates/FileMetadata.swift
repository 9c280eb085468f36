import Bytes
package import MediaModel
package import SystemPackage

/// When and where a photo or video was taken, from what is outside of its file: a sidecar and the file's name.
package struct FileMetadata: Sendable, Hashable {
    /// From the sidecar, or otherwise from the name.
    package private(set) var captureDate: CaptureDate?
    /// Where `captureDate` comes from.
    package private(set) var dateSource: CaptureDateSource?
    /// Whether the name has only a day, so that the time is noon.
    package private(set) var isDayOnly = false
    /// From the sidecar.
    package private(set) var location: GeographicLocation?
    /// Why a sidecar was ignored, in one sentence.
    package private(set) var warning: String?

    /// Reads the sidecar of a file and the file's name.
    package init(of file: FilePath) {
        let name = file.lastComponent.flatMap { FileNameDate($0.string) }
        let found = TakeoutSidecar.find(for: file)
        warning = found.warning
        location = found.sidecar?.location
        if let date = found.sidecar?.captureDate {
            (captureDate, dateSource) = (Self.localTime(of: date, name), .sidecar)
        } else if let name {
            (captureDate, dateSource, isDayOnly) = (name.date, .fileName, !name.hasTime)
        }
    }

    /// A date of a sidecar in local time, if the file's name has that: the difference to UTC is the offset of the zone.
    private static func localTime(of date: CaptureDate, _ name: FileNameDate?) -> CaptureDate {
        guard let name, name.hasTime else { return date }
        return localTime(of: date, named: name.date)
    }

    /// A date in UTC in local time, if a name has that of the same moment: the difference is the offset of the zone.
    ///
    /// - Parameter name: the time in the name; not used if its zone is known.
    package static func localTime(of date: CaptureDate, named name: CaptureDate) -> CaptureDate {
        guard name.utcOffset == nil, date.utcOffset == 0 else { return date }
        let quarter = 15 * 60
        let difference = Int(name.secondsSince1970 - date.secondsSince1970)
        let offset = Int((Double(difference) / Double(quarter)).rounded()) * quarter
        // Names often have the time at which a recording began or ended.
        guard isZone(minutes: offset / 60), abs(difference - offset) <= 120 else { return date }
        return CaptureDate(secondsSince1970: date.secondsSince1970, utcOffset: offset / 60) ?? date
    }

    /// A date in UTC in local time, if the name of one of the files has that. Other dates are returned unchanged.
    static func localTime(of date: CaptureDate, _ files: FilePath...) -> CaptureDate {
        guard date.utcOffset == 0 else { return date }
        return files.lazy.compactMap { $0.lastComponent.flatMap { FileNameDate($0.string) } }
            .map { localTime(of: date, $0) }.first { $0 != date } ?? date
    }

    /// Whether a time zone with this offset from UTC exists: whole hours, and some half and quarter hours.
    private static func isZone(minutes: Int) -> Bool {
        // Also those that are no longer used, as in Venezuela until 2016.
        let others = [-570, -270, -210, -150, 210, 270, 330, 345, 390, 510, 525, 570, 630, 690, 765, 825]
        return minutes.isMultiple(of: 60) ? (-720...840).contains(minutes) : others.contains(minutes)
    }

    /// The modification time of a file, as local time of this system.
    ///
    /// - Throws: `LivePhotoError` if the file does not exist, or for a time that is no date.
    package static func modificationDate(of file: FilePath) throws(LivePhotoError) -> CaptureDate {
        let seconds: Int
        do throws(Errno) {
            seconds = try FileTimes(of: file).modification.secondsSince1970
        } catch {
            throw LivePhotoError(reading: file, error)
        }
        let offset = LocalTimeZone.utcOffset(atSecondsSince1970: seconds)
        guard let date = CaptureDate(secondsSince1970: Int64(seconds), utcOffset: offset) else {
            throw LivePhotoError(.invalidRequest, file, "its modification time is not a date; write the date itself")
        }
        return date
    }
}
