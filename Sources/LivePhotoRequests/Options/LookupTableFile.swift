import MediaModel
public import SystemPackage

/// The path of a lookup table (LUT): a `.cube` file, whose table maps the colours of a picture to others.
///
/// The format is that of Adobe and Iridas ("Cube LUT Specification" 1.0): a table with three dimensions (up to 129 values for
/// each component) or one (up to 65,536). Its colours are those of displays: sRGB, or BT.709.
public struct LookupTableFile: OptionValue {
    /// The file. Paths in presets are relative to the preset's file, those in job files to the job file.
    public let path: FilePath

    public static let kind = "a LUT file"
    public static let allowed = "the path of a .cube file"
    public static let jsonSchema = #""type": "string", "pattern": "\\.[Cc][Uu][Bb][Ee]$""#

    /// A file whose name ends with `.cube`; nil for other names.
    public init?(path: FilePath) {
        guard path.extension?.lowercased() == "cube", path.string.unicodeScalars.allSatisfy({ !isControl($0) }) else {
            return nil
        }
        self.path = path
    }

    /// Reads a path.
    public init?(text: String) { self.init(path: FilePath(text)) }

    /// The path.
    public var description: String { path.string }
}
