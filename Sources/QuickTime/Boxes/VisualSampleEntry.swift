package import Bytes
import ISOBMFF
package import MediaModel

/// `avc1`, `hvc1` or another video format (QuickTime File Format, "Video sample description"; ISO/IEC 14496-12,
/// 12.1.3). In `stsd`.
package struct VisualSampleEntry: SampleEntry {
    package var type: FourCC
    package var dataReferenceIndex: UInt16 = 1
    package var version: UInt16 = 0
    package var revision: UInt16 = 0
    package var vendor = FourCC(rawValue: 0)
    /// The quality requested from the encoder, 0…1023 like the spatial quality; 512 is "normal".
    package var temporalQuality: UInt32 = 512
    package var spatialQuality: UInt32 = 512
    package var width: UInt16
    package var height: UInt16
    /// Pixels an inch, 16.16 fixed point.
    package var horizontalResolution: UInt32 = 72 << 16
    package var verticalResolution: UInt32 = 72 << 16
    package var dataSize: UInt32 = 0
    package var frameCount: UInt16 = 1
    /// 32 bytes: a Pascal string.
    package var compressorField: [UInt8]
    package var depth: UInt16 = 24
    package var colorTableID: Int16 = -1
    package var configuration: AVCConfigurationBox?
    package var color: ColorBox?
    package var pixelAspect: PixelAspectRatioBox?
    package var cleanAperture: CleanApertureBox?
    package var others: [OpaqueBox] = []
    /// The palette of an indexed format, in place of boxes.
    package var palette: [UInt8] = []

    package var size: PixelSize { PixelSize(width: Int(width), height: Int(height)) }

    init(type: FourCC, width: UInt16, height: UInt16, compressor: FileText) {
        self.type = type
        self.width = width
        self.height = height
        let name = pascalString(compressor).prefix(Self.compressorSize)
        compressorField = name + Array(repeating: 0, count: Self.compressorSize - name.count)
    }

    private static let compressorSize = 32
    /// Bytes before the boxes.
    static let fieldsSize = 78

    /// Whether colours are indices into a palette within the entry: 1, 2, 4 or 8 bits a pixel, colour or grey
    /// (QuickTime File Format, "Video sample description").
    private var hasPalette: Bool { colorTableID == 0 && [1, 2, 4, 8].contains(depth & 0x1F) }
}

extension VisualSampleEntry {
    package init(type: FourCC, from reader: inout ByteReader) throws(ParseError) {
        self.type = type
        dataReferenceIndex = try reader.dataReferenceIndex()
        version = try reader.integer()
        revision = try reader.integer()
        vendor = try reader.fourCC()
        temporalQuality = try reader.integer()
        spatialQuality = try reader.integer()
        width = try reader.integer()
        height = try reader.integer()
        horizontalResolution = try reader.integer()
        verticalResolution = try reader.integer()
        dataSize = try reader.integer()
        frameCount = try reader.integer()
        compressorField = try reader.bytes(Self.compressorSize)
        depth = try reader.integer()
        colorTableID = try reader.integer()
        guard !hasPalette else {
            palette = reader.rest()
            return
        }
        while let child = try reader.nextBox() {
            switch child.type {
            case AVCConfigurationBox.type where configuration == nil: configuration = try child.read()
            case ColorBox.type where color == nil: color = try child.read()
            case PixelAspectRatioBox.type where pixelAspect == nil: pixelAspect = try child.read()
            case CleanApertureBox.type where cleanAperture == nil: cleanAperture = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.dataReferenceIndex(dataReferenceIndex)
        writer.integer(version)
        writer.integer(revision)
        writer.fourCC(vendor)
        writer.integer(temporalQuality)
        writer.integer(spatialQuality)
        writer.integer(width)
        writer.integer(height)
        writer.integer(horizontalResolution)
        writer.integer(verticalResolution)
        writer.integer(dataSize)
        writer.integer(frameCount)
        writer.append(compressorField)
        writer.integer(depth)
        writer.integer(colorTableID)
        writer.append(palette)
        writer.box(configuration)
        writer.box(color)
        writer.box(pixelAspect)
        writer.box(cleanAperture)
        writer.boxes(others)
    }
}
