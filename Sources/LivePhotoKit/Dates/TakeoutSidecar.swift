import Bytes
import MediaModel
package import SystemPackage

/// The JSON file that Google Takeout writes for a photo or video: when and where it was taken.
package struct TakeoutSidecar: Sendable, Hashable {
    let path: FilePath
    /// In UTC, the only zone that sidecars have.
    let captureDate: CaptureDate?
    let location: GeographicLocation?
    /// The name of the item in Google Photos.
    package let title: String?
    /// Why the time was ignored.
    let fault: Unreadable?

    /// Real sidecars have a few kilobytes.
    static let sizeLimit = 1 << 20
    /// Bytes of a title that are read. Names of files in Takeout have less.
    package static let titleLimit = 4096

    /// - Throws: `Unreadable` for a file that cannot be read or understood.
    /// - Returns: Nil for JSON that is no sidecar.
    package static func read(_ path: FilePath) throws(Unreadable) -> TakeoutSidecar? {
        let content: Content
        do {
            content = try JSON.decode(from: JSON.withoutLongChains(InputFile(path).contents(limit: sizeLimit)))
        } catch Errno.fileTooLarge {
            throw Unreadable(reason: "it has more than \(sizeLimit >> 20) MiB")
        } catch let error as Errno {
            throw Unreadable(reason: "it \(LivePhotoError(reading: path, error).reason)")
        } catch {
            throw Unreadable(reason: "it is not a JSON object")
        }
        guard content.isSidecar else { return nil }
        return TakeoutSidecar(
            path: path, captureDate: content.captureDate, location: content.location, title: content.title,
            fault: content.fault)
    }

    /// Why a file cannot be used.
    package struct Unreadable: Error, Hashable {
        let reason: String
    }
}

/// The members that matter.
private struct Content: Decodable {
    let isSidecar: Bool
    let captureDate: CaptureDate?
    let location: GeographicLocation?
    let title: String?
    let fault: TakeoutSidecar.Unreadable?

    private enum CodingKeys: String, CodingKey {
        case title, photoTakenTime, geoData, geoDataExif
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        isSidecar = members.contains(.photoTakenTime) || members.contains(.geoData)
        title = (try? members.decode(String.self, forKey: .title)).map {
            FileText($0).string(limit: TakeoutSidecar.titleLimit)
        }
        do throws(TakeoutSidecar.Unreadable) {
            captureDate = try members.contains(.photoTakenTime) ? Self.date(members) : nil
            fault = nil
        } catch {
            (captureDate, fault) = (nil, error)
        }
        // `geoData` can be corrected in Google Photos, `geoDataExif` is what the file had.
        location =
            [.geoData, .geoDataExif].lazy.compactMap { try? members.decode(Place.self, forKey: $0).location }.first
    }

    /// - Returns: Nil for the start of 1970, which means that the time is unknown.
    private static func date(
        _ members: KeyedDecodingContainer<CodingKeys>
    ) throws(TakeoutSidecar.Unreadable) -> CaptureDate? {
        guard let seconds = try? members.decode(Time.self, forKey: .photoTakenTime).seconds,
            let date = CaptureDate(secondsSince1970: seconds)
        else { throw TakeoutSidecar.Unreadable(reason: "its photoTakenTime is not a time") }
        return seconds == 0 ? nil : date
    }

    private struct Time: Decodable {
        let seconds: Int64?

        private enum CodingKeys: String, CodingKey {
            case timestamp
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            seconds =
                if let text = try? members.decode(String.self, forKey: .timestamp) {
                    Int64(text)
                } else {
                    try members.decode(Int64.self, forKey: .timestamp)
                }
        }
    }

    private struct Place: Decodable {
        let latitude: Double
        let longitude: Double
        let altitude: Double?

        /// Nil for 0, 0, which means that the place is unknown. An altitude of 0 is unknown too.
        var location: GeographicLocation? {
            guard latitude != 0 || longitude != 0 else { return nil }
            return GeographicLocation(
                latitude: latitude, longitude: longitude, altitude: altitude == 0 ? nil : altitude)
        }
    }
}
