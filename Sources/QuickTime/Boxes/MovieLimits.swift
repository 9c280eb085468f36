/// Limits of the sizes and counts in a movie. Real files stay far below them. Each comment names the cost that the limit
/// prevents.
enum MovieLimits {
    /// Bytes of `moov`, which is read into memory completely. Ten hours at 60 frames a second need about 45 MB.
    static let movieBoxSize = 256 << 20
    /// Frames of a video whose times are listed. Ten hours at 60 frames a second have half as many.
    static let frames = 1 << 22
    /// Nesting of boxes: each level needs only eight bytes.
    static let boxDepth = 24
    /// Listed boxes of a file, each of which takes more memory than its bytes in the file.
    static let listedBoxes = 100_000
    /// Bytes of a box that are read to describe it.
    static let annotatedBytes = 16 << 10
    /// Tracks of a movie: libavformat takes 1.5 MB for each. Movies of editors have dozens of mono tracks.
    static let tracks = 256
    /// Edits of all tracks: libavformat iterates over the track's samples for each.
    static let edits = 4096
    /// Keys of metadata, each of which libavformat compares with all previous ones. Phones write dozens.
    static let metadataKeys = 4096
    /// Samples of all tracks, for each of which libavformat keeps 24 bytes or more. Ten hours at 60 frames a second, with
    /// sound, have 4 million.
    static let samples = 1 << 23
    /// Samples of one track.
    static let samplesOfTrack = 1 << 22
    /// NAL units of a picture that are looked at to learn whether decoding can begin with it.
    static let unitsOfPicture = 64
    /// Key frames that are looked at before a cut. Some writers mark all frames, and real key frames are at most some
    /// hundred frames apart.
    static let keyFrameCandidates = 2000
    /// Runs of samples in fragments, each of which takes more memory than its bytes in the file.
    static let trackRuns = 1 << 20
    /// Boxes at the top level: a file of empty boxes would otherwise cost a read for every eight of its bytes.
    static let topLevelBoxes = 1 << 20
    /// File offsets: the sizes of all samples can be added to smaller ones without overflow.
    static let fileOffset: UInt64 = 1 << 62
    /// Durations, in seconds: 17 years. Three such times and a composition offset of 2³¹ s add without overflow on
    /// every 31-bit timescale.
    static let seconds: Int64 = 1 << 29
    /// Bytes of a sample read into memory. An 8K intra frame has a few tens of megabytes.
    static let sampleSize = 256 << 20
    /// Samples of a timed metadata track that are searched for the still image time, which is its first.
    static let searchedMetadataSamples = 1000
    /// Bytes of a timed metadata sample that is searched; a real one has at most a few kilobytes.
    static let metadataSampleSize = 1 << 20
    /// Bytes of timed metadata that are copied into another movie; those of a device have about 20 kB.
    static let timedMetadata = 16 << 20
    /// Bytes of a sample with a live-photo-info record without faces and objects.
    static let smallestLivePhotoInfo = 144
}
