#if os(Linux)
    import CFileSystem
#endif

/// The heaps of the C library.
package enum Heaps {
    /// Has all threads share one heap, and what is freed given back. Otherwise each thread may reserve 64 MB of address space for
    /// its own, and a command that has a million files holds as much free memory as it uses.
    package static func keepSmall() {
        #if os(Linux)
            livephoto_keep_heap_small()
        #endif
    }
}
