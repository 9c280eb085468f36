import Bytes
import MediaModel
import QuickTime
import StillImage
import SystemPackage

/// The files in a .pvt folder, as Photos and AirDrop write it on a Mac.
struct BundleFiles {
    static let listName: FilePath.Component = "metadata.plist"

    let photoName: FilePath.Component
    let movieName: FilePath.Component
    /// The bytes of `metadata.plist`.
    let list: [UInt8]

    /// - Throws: `Errno.isDirectory` for a path without a name.
    init(photo: InputFile, _ format: PhotoMetadata.Format, movie: InputFile) throws {
        photoName = try Self.name(of: photo, FileTree.photoExtensions, "\(format)")
        movieName = try Self.name(of: movie, FileTree.movieExtensions, Self.isQuickTime(movie) ? "mov" : "mp4")
        let identifier = try? PhotoMetadata(photo).contentIdentifier.get()
        list = Array(Self.propertyList(identifier.flatMap { ContentIdentifier($0) }).utf8)
    }

    /// The file's name, which gets an extension if it has none of its kind: readers tell the two files by it.
    private static func name(
        of file: InputFile, _ kinds: Set<String>, _ kind: String
    ) throws -> FilePath.Component {
        guard let name = file.path.lastComponent else { throw Errno.isDirectory }
        let own = name.extension.flatMap { kinds.contains($0.lowercased()) ? $0 : nil }
        let kind = own ?? kind.uppercased()
        let stem = PairNames.written(name.base, reserve: kind.utf8.count + 1)
        return FilePath.Component("\(stem.string()).\(kind)") ?? name
    }

    /// Whether the movie is not an MP4: files without a type are QuickTime movies.
    static func isQuickTime(_ movie: InputFile) -> Bool {
        let type = try? MovieReader(movie).fileType
        return type.map { $0.majorBrand == "qt  " } ?? true
    }

    private static func propertyList(_ identifier: ContentIdentifier?) -> String {
        // The spelling of the key is that of Photos.
        let pairing = identifier.map {
            "\t<key>PFVideoComplementMetadataPairidIdentifierKey</key>\n\t<string>\($0)</string>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \(pairing ?? "")\t<key>PFVideoComplementMetadataVersionKey</key>
            \t<string>1</string>
            </dict>
            </plist>

            """
    }
}
