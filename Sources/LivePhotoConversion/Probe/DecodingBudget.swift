/// How many pixels may be decoded of a clip, in all runs together. Some kilobytes can claim to be thousands of large pictures.
enum DecodingBudget {
    /// Of any clip: 8 s of 1080p60, as a window and the way to it from a key frame need, twice.
    private static let always = 1 << 31
    /// And for each byte of the clip. A picture that repeats the one before takes some 30 bytes in H.264 and GIF: 70,000 pixels
    /// for each byte at 1920x1080.
    private static let perByte = 1 << 18

    /// - Parameter bytes: the clip's size.
    static func pixels(ofClipWith bytes: Int) -> Int {
        let (more, overflow) = bytes.multipliedReportingOverflow(by: perByte)
        return overflow ? .max : always.addingReportingOverflow(more).partialValue
    }
}
