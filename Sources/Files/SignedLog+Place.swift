import Bytes
import SystemPackage

extension SignedLog {
    /// Where the content of a line is, and a hash by which it is known when it is read again. Logs have a million lines, which would
    /// take gigabytes of memory.
    package struct Place: Sendable, Equatable {
        private let offset: Int
        private let count: Int32
        private let hash: Int32

        init(_ content: [UInt8], at offset: Int) {
            self.offset = offset
            count = Int32(content.count)
            hash = Int32(truncatingIfNeeded: content.hashValue)
        }

        /// Reads the content again.
        ///
        /// - Parameter file: That of the log.
        /// - Throws: `LivePhotoError`, also if another program has changed it.
        package func content(in file: FolderEntry) throws(LivePhotoError) -> [UInt8] {
            do {
                let content = try file.openState().currentBytes(at: offset, count: Int(count))
                guard Place(content, at: offset) == self else { throw FileChanged(path: file.path) }
                return content
            } catch {
                throw error as? LivePhotoError ?? LivePhotoError(reading: file.path, error)
            }
        }
    }
}
