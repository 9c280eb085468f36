#if os(Linux)
    import CFileSystem
#endif

/// The heaps of the C library.
package enum Heaps {
    /// Has all threads share two heaps. Otherwise, each thread may reserve 64 MB of address space for its own.
    package static func share() {
        #if os(Linux)
            livephoto_share_heaps()
        #endif
    }
}
