import Bytes
import SystemPackage

/// A file or folder that contains a photo and its movie.
public struct BundleInspection: Sendable, Hashable, Encodable {
    public let file: String
    /// `pvt`, the folder that Photos and AirDrop create on a Mac; `livp`, Baidu's archive; or `zip`, another one.
    public let format: String
    public let members: [Member]

    public struct Member: Sendable, Hashable, Encodable {
        public let name: String
        public let size: Int
        public let isCompressed: Bool
    }

    /// - Parameter archive: A ZIP archive.
    init(archive: InputFile) throws {
        let directory = try ZipDirectory(archive)
        file = archive.path.string
        format = archive.path.extension?.lowercased() == "livp" ? "livp" : "zip"
        members = directory.entries.map { Member(name: $0.name, size: $0.size, isCompressed: !$0.isStored) }
    }

    /// - Parameter folder: Its name ends in `.pvt`.
    init(folder: FilePath) throws(LivePhotoError) {
        file = folder.string
        format = "pvt"
        do {
            members = try FileSystem.names(in: folder).sorted { $0.string < $1.string }.map { name in
                Member(
                    name: name.string, size: Int((try? folder.appending(name).stat().size) ?? 0), isCompressed: false)
            }
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
    }
}
