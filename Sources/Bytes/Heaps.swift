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

    /// Gives back to the system what was freed in small pieces, or by threads that have ended, and is kept for later: three encoders
    /// of HEVC, one after another, need 1.3 to 1.7 times as much as the largest of them otherwise. Memory that is needed again
    /// costs time: about 0.1 s for an encoder of HEVC in 1080p.
    package static func giveBackFreed() {
        #if os(Linux)
            livephoto_give_back_freed_memory()
        #endif
    }
}
