import CFFmpeg

/// Memory that libav and its encoders have freed, but that the C library keeps for later.
///
/// It keeps some for each thread that has allocated memory, so the next encoder, which has other threads, does not get all that
/// the last one has freed: three encoders of HEVC, one after another, need 1.3 to 1.7 times as much as the largest of them.
package enum FreedMemory {
    /// Gives it back to the system. Memory that is needed again costs time: about 0.1 s for an encoder of HEVC in 1080p.
    package static func release() { livephoto_release_freed_memory() }
}
