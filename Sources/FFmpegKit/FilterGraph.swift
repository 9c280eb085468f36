import CFFmpeg
import MediaModel

/// Owns an AVFilterGraph with one input and one output: a chain of libavfilter's filters, written as in ffmpeg's
/// `-vf` or `-af`.
package final class FilterGraph {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let scratch: UnsafeMutablePointer<AVFrame>
    private let shape: FrameShape

    /// - Parameters:
    ///   - filters: libavfilter's description of the chain; not empty.
    ///   - frame: a frame like those that will come; see ``accepts(_:)``.
    ///   - threads: for filters that work in slices.
    package init(_ filters: String, like frame: Frame, threads: Int) throws(LibavError) {
        LibavLog.takeOver()
        let graphOwner = try GraphOwner()
        let graph = graphOwner.pointer
        graph.pointee.nb_threads = Int32(clamping: threads)
        shape = FrameShape(frame)
        let kind = shape.isAudio ? "abuffer" : "buffer"
        source = try allocated(
            avfilter_graph_alloc_filter(graph, avfilter_get_by_name(kind), "in"), "avfilter_graph_alloc_filter")
        try Self.configure(source, like: frame)
        sink = try allocated(
            avfilter_graph_alloc_filter(graph, avfilter_get_by_name(kind + "sink"), "out"),
            "avfilter_graph_alloc_filter")
        try check(avfilter_init_str(sink, nil), "avfilter_init_str")
        try Self.link(graph, filters, from: source, to: sink)
        try check(avfilter_graph_config(graph, nil), "avfilter_graph_config")
        scratch = try allocated(av_frame_alloc(), "av_frame_alloc")
        self.graph = graphOwner.release()
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = scratch
        av_frame_free(&frame)
        var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&graph)
    }

    /// Whether the frame has the size, format and pixel shape that this graph was made for.
    package func accepts(_ frame: Frame) -> Bool { FrameShape(frame) == shape }

    /// Gives the graph a frame; nil signals the end.
    package func send(_ frame: Frame?) throws(LibavError) {
        let flags = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
        try check(av_buffersrc_add_frame_flags(source, frame?.pointer, flags), "av_buffersrc_add_frame_flags")
    }

    /// The next frame that is ready; nil when more input is needed, or when all has been given.
    package func receive() throws(LibavError) -> Frame? {
        let status = av_buffersink_get_frame(sink, scratch)
        if status == AVErrorAgain || status == AVErrorEndOfFile { return nil }
        try check(status, "av_buffersink_get_frame")
        scratch.pointee.time_base = av_buffersink_get_time_base(sink)
        scratch.pointee.best_effort_timestamp = scratch.pointee.pts
        return try Frame(moving: scratch)
    }

    /// An encoder such as AAC takes frames of exactly this many samples, but for the last.
    package func setOutputFrameSize(_ samples: Int) {
        av_buffersink_set_frame_size(sink, UInt32(clamping: samples))
    }

    private static func configure(
        _ source: UnsafeMutablePointer<AVFilterContext>, like frame: Frame
    ) throws(LibavError) {
        let parameters = try allocated(av_buffersrc_parameters_alloc(), "av_buffersrc_parameters_alloc")
        defer { av_free(parameters) }
        let picture = frame.pointer
        parameters.pointee.format = picture.pointee.format
        parameters.pointee.time_base = picture.pointee.time_base
        parameters.pointee.width = picture.pointee.width
        parameters.pointee.height = picture.pointee.height
        parameters.pointee.sample_aspect_ratio = picture.pointee.sample_aspect_ratio
        parameters.pointee.sample_rate = picture.pointee.sample_rate
        parameters.pointee.ch_layout = picture.pointee.ch_layout
        livephoto_set_source_color(parameters, frame.pointer)
        try check(av_buffersrc_parameters_set(source, parameters), "av_buffersrc_parameters_set")
        try check(avfilter_init_str(source, nil), "avfilter_init_str")
    }

    private static func link(
        _ graph: UnsafeMutablePointer<AVFilterGraph>, _ filters: String,
        from source: UnsafeMutablePointer<AVFilterContext>, to sink: UnsafeMutablePointer<AVFilterContext>
    ) throws(LibavError) {
        // In libavfilter's words the chain's "inputs" are the open ends that our sink serves, and the other way round.
        var outputs = avfilter_inout_alloc()
        var inputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&outputs)
            avfilter_inout_free(&inputs)
        }
        let out = try allocated(outputs, "avfilter_inout_alloc")
        let into = try allocated(inputs, "avfilter_inout_alloc")
        out.pointee.name = av_strdup("in")
        out.pointee.filter_ctx = source
        into.pointee.name = av_strdup("out")
        into.pointee.filter_ctx = sink
        try check(avfilter_graph_parse_ptr(graph, filters, &inputs, &outputs, nil), "avfilter_graph_parse_ptr")
    }
}

/// Frees a graph that could not be finished.
private final class GraphOwner {
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    let pointer: UnsafeMutablePointer<AVFilterGraph>

    init() throws(LibavError) {
        pointer = try allocated(avfilter_graph_alloc(), "avfilter_graph_alloc")
        graph = pointer
    }

    deinit {
        avfilter_graph_free(&graph)
    }

    /// Hands the graph over to its final owner.
    func release() -> UnsafeMutablePointer<AVFilterGraph> {
        graph = nil
        return pointer
    }
}

/// What a graph is configured for; a frame of another shape needs another graph.
private struct FrameShape: Equatable {
    let format: Int32
    let width: Int32
    let height: Int32
    let sampleRate: Int32
    /// libav's name of the channel layout; empty for pictures.
    let channelLayout: String
    let colorSpace: UInt32
    let colorRange: UInt32
    let sampleAspectRatio: AspectRatio?

    init(_ frame: Frame) {
        sampleAspectRatio = frame.sampleAspectRatio
        let frame = frame.pointer
        format = frame.pointee.format
        (width, height) = (frame.pointee.width, frame.pointee.height)
        sampleRate = frame.pointee.sample_rate
        channelLayout = frame.pointee.sample_rate > 0 ? Self.describe(&frame.pointee.ch_layout) : ""
        (colorSpace, colorRange) = (frame.pointee.colorspace.rawValue, frame.pointee.color_range.rawValue)
    }

    var isAudio: Bool { sampleRate > 0 && width == 0 }

    private static func describe(_ layout: UnsafePointer<AVChannelLayout>) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress, av_channel_layout_describe(layout, start, text.count) > 0 else {
                return ""
            }
            return String(cString: start)
        }
    }
}
