import LivePhotoKit
import MediaModel
package import SystemPackage

/// The folder of a page, from which addresses of many files start.
struct AddressBase: Sendable {
    private let base: [FilePath.Component]

    init(_ folder: FilePath) {
        base = folder.absoluteComponents
    }

    /// The relative address of a file, as `FilePath.address(from:)` gives it.
    func address(of file: FilePath) -> String {
        let own = file.absoluteComponents
        var common = 0
        while common < min(base.count, own.count - 1), own[common] == base[common] { common += 1 }
        let steps = [String](repeating: "..", count: base.count - common) + own[common...].map(\.percentEncoded)
        return steps.joined(separator: "/")
    }
}

extension FilePath {
    /// The relative address of this file in a page, as a URL (RFC 3986, section 4.2). Names of any bytes are percent-encoded.
    ///
    /// - Parameter folder: the page's folder.
    package func address(from folder: FilePath) -> String { AddressBase(folder).address(of: self) }

    fileprivate var absoluteComponents: [Component] {
        Array(CurrentProcess.folder.pushing(self).lexicallyNormalized().components)
    }
}

extension FilePath.Component {
    /// With all bytes but unreserved characters encoded.
    fileprivate var percentEncoded: String {
        let length = FilePath(root: nil, [self]).length
        return withPlatformString { name in
            MediaModel.percentEncoded(
                UnsafeBufferPointer(start: name, count: length).map { UInt8(bitPattern: $0) })
        }
    }
}
