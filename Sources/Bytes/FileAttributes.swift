package import SystemPackage

#if canImport(Glibc)
    import CFileSystem
    import Glibc
#elseif canImport(Musl)
    import CFileSystem
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file's owner and group, permissions, extended attributes (including its access control list) and times.
package enum FileAttributes {
    /// Copies the attributes of one file to another.
    ///
    /// - Throws: `Errno` of chown(2), setxattr(2), chmod(2), utimensat(2) for an attribute that cannot be set.
    package static func copy(from source: FilePath, to target: FilePath) throws(Errno) {
        let (old, new) = (try source.stat(), try target.stat())
        if old.userID != new.userID || old.groupID != new.groupID {
            try check(target.withPlatformString { chown($0, old.userID.rawValue, old.groupID.rawValue) })
        }
        #if canImport(Darwin)
            let flags = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
            try check(
                source.withPlatformString { source in
                    target.withPlatformString { copyfile(source, $0, nil, flags) }
                })
        #else
            try copyExtendedAttributes(from: source, to: target)
        #endif
        // FUSE's FAT has no call for permissions, which are the same for all its files.
        if try target.stat().permissions != old.permissions {
            try check(target.withPlatformString { chmod($0, old.permissions.rawValue) })
        }
        try FileTimes(of: source).set(target)
    }

    private static func check(_ status: CInt) throws(Errno) {
        guard status == 0 else { throw Errno(rawValue: errno) }
    }

    #if !canImport(Darwin)
        private static func copyExtendedAttributes(from source: FilePath, to target: FilePath) throws(Errno) {
            for name in try extendedAttributes(of: source) {
                do throws(Errno) {
                    let value = try read { buffer in
                        source.withPlatformString { getxattr($0, name, buffer.baseAddress, buffer.count) }
                    }
                    try check(target.withPlatformString { setxattr($0, name, value, value.count, 0) })
                } catch {
                    // The system sets these on new files itself.
                    guard ["security.", "trusted."].contains(where: { name.starts(with: $0.utf8.map(CChar.init)) })
                    else {
                        throw error
                    }
                }
            }
        }

        /// The names of a file's extended attributes, each with its final NUL; none if the file system does not support them.
        private static func extendedAttributes(of path: FilePath) throws(Errno) -> [[CChar]] {
            do throws(Errno) {
                let names = try read { buffer in
                    path.withPlatformString {
                        listxattr($0, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
                    }
                }
                return names.split(separator: 0).map { $0.map { CChar(bitPattern: $0) } + [0] }
            } catch {
                guard error == .notSupported else { throw error }
                return []
            }
        }

        /// - Parameter call: Fills a buffer and returns the size; for an empty buffer, the size needed; negative on failure.
        private static func read(_ call: (UnsafeMutableRawBufferPointer) -> Int) throws(Errno) -> [UInt8] {
            // The value may grow between the two calls.
            for _ in 0..<10 {
                let size = call(UnsafeMutableRawBufferPointer(start: nil, count: 0))
                guard size >= 0 else { throw Errno(rawValue: errno) }
                guard size > 0 else { return [] }
                var bytes = [UInt8](repeating: 0, count: size)
                let count = bytes.withUnsafeMutableBytes { call($0) }
                if count >= 0 { return Array(bytes.prefix(count)) }
                let failure = Errno(rawValue: errno)
                guard failure == .outOfRange else { throw failure }
            }
            throw .resourceTemporarilyUnavailable
        }
    #endif
}
