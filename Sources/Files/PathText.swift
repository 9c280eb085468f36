package import SystemPackage

/// A path in JSON: text if it is valid UTF-8, otherwise its bytes.
package struct PathText: Sendable, Hashable, Codable {
    package let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            path = FilePath(text)
        } else {
            let bytes = try container.decode([CInterop.PlatformChar].self)
            path = bytes.withUnsafeBufferPointer { bytes in
                // The array must include the terminating zero.
                bytes.last == 0 ? bytes.baseAddress.map { FilePath(platformString: $0) } ?? "" : ""
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if FilePath(path.string) == path {
            try container.encode(path.string)
        } else {
            try container.encode(
                path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: path.length + 1)) })
        }
    }
}
