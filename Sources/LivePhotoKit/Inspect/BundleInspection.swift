import Bytes
import SystemPackage

/// A file or folder that contains a photo and its movie.
public struct BundleInspection: Sendable, Hashable, Encodable {
    /// The path as given.
    public let file: String
    /// The kind of bundle: `pvt`, the folder that Photos and AirDrop create on a Mac; `livp`, Baidu's archive; or
    /// `zip`, another one.
    public let format: String
    /// The files in it: in the order of an archive, or of their names in a folder.
    public let members: [Member]

    /// A file in a bundle.
    public struct Member: Sendable, Hashable, Encodable {
        /// Its name, with its path inside an archive.
        public let name: String
        /// Its size in bytes, without compression.
        public let size: Int
        /// Whether an archive stores it compressed.
        public let isCompressed: Bool
    }

    /// - Parameter archive: A ZIP archive.
    init(archive: InputFile) throws {
        let directory = try ZipDirectory(archive)
        file = archive.path.string
        format = archive.path.extension?.lowercased() == "livp" ? "livp" : "zip"
        members = directory.entries.map {
            Member(name: $0.name.string(limit: ZipDirectory.nameLimit), size: $0.size, isCompressed: !$0.isStored)
        }
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
