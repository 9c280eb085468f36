import ArgumentParser
import LivePhotoRequests

/// Effect and speed of a movie. The values are strings, because settings give better errors for wrong values than
/// ArgumentParser.
struct MotionOptions: ParsableArguments {
    @Option(.effect) var effect: String?
    @Option(.speed) var speed: String?

    /// What was given for each setting.
    var texts: [(Setting, String?)] { [(.effect, effect), (.speed, speed)] }
}
