import CFFmpeg
package import MediaModel

/// A chain of libavfilter's filters with one input and one output, written as in ffmpeg's `-vf` or `-af`. It can have a
/// second input for a single frame, such as a palette.
package final class FilterGraph {
    private let owner: GraphOwner
    private let source: Source
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let shape: FrameShape

    /// - Parameters:
    ///   - filters: libavfilter's description of the chain; not empty.
    ///   - frame: a frame like those to be sent; see ``accepts(_:)``.
    ///   - side: the only frame of a second input. The inputs are then labelled `in` and `side`, and the output `out`.
    ///   - threads: for filters with slice threading, except those whose pictures would depend on the number of threads.
    package init(_ filters: String, like frame: Frame, side: Frame? = nil, threads: Int) throws(LibavError) {
        LibavLog.takeOver()
        owner = try GraphOwner()
        let graph = owner.graph
        graph.pointee.nb_threads = Int32(clamping: threads)
        shape = FrameShape(frame)
        let kind = shape.isAudio ? "abuffer" : "buffer"
        source = try Self.makeSource(graph, "in", kind, like: frame)
        var sideSource: Source?
        if let side { sideSource = try Self.makeSource(graph, "side", "buffer", like: side) }
        sink = try allocated(
            avfilter_graph_alloc_filter(graph, avfilter_get_by_name(kind + "sink"), "out"),
            "avfilter_graph_alloc_filter")
        try check(avfilter_init_str(sink, nil), "avfilter_init_str")
        try Self.link(graph, filters, from: source, and: sideSource, to: sink)
        for index in 0..<Int(graph.pointee.nb_filters) {
            guard let filter = graph.pointee.filters[index], Self.dependsOnThreads(filter) else { continue }
            filter.pointee.nb_threads = 1
        }
        try check(avfilter_graph_config(graph, nil), "avfilter_graph_config")
        if let side, let sideSource {
            try Self.send(side, to: sideSource)
            try Self.send(nil, to: sideSource)
        }
    }

    /// Each thread of `zscale` converts a part of the picture as if there was nothing around it, which changes the rows at the
    /// edges of the parts. The threads of FFmpeg 5.1's `colorlevels` write to wrong rows, also outside the picture, where the
    /// rows of its output are not as far apart as those of its input (vf_colorlevels.c uses one distance for both).
    private static func dependsOnThreads(_ filter: UnsafeMutablePointer<AVFilterContext>) -> Bool {
        ["zscale", "colorlevels"].contains(String(cString: filter.pointee.filter.pointee.name))
    }

    /// Configures filters for pictures without filtering any, and returns the size of their output.
    ///
    /// - Parameters:
    ///   - filters: libavfilter's description of the chain; not empty.
    ///   - format: libav's name of the pictures' format.
    /// - Throws: `LibavError` for filters that libavfilter does not have, and for options that they do not take.
    package static func outputSize(
        of filters: String, for size: PixelSize, format: String, _ color: ColorDescription
    ) throws(LibavError) -> PixelSize {
        let graph = try FilterGraph(
            filters, like: Frame(unfilled: size, format: format, color: color), threads: 1)
        return PixelSize(
            width: Int(av_buffersink_get_w(graph.sink)), height: Int(av_buffersink_get_h(graph.sink)))
    }

    private typealias Source = UnsafeMutablePointer<AVFilterContext>

    /// Whether the frame has the size, format and pixel aspect ratio that this graph was configured for.
    package func accepts(_ frame: Frame) -> Bool { FrameShape(frame) == shape }

    /// Gives the graph a frame; nil signals the end.
    package func send(_ frame: Frame?) throws(LibavError) { try Self.send(frame, to: source) }

    private static func send(_ frame: Frame?, to source: Source) throws(LibavError) {
        let flags = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
        try check(av_buffersrc_add_frame_flags(source, frame?.pointer, flags), "av_buffersrc_add_frame_flags")
    }

    /// The next finished frame; nil if more input is needed, or after the last frame.
    package func receive() throws(LibavError) -> Frame? {
        let frame = try Frame()
        let status = av_buffersink_get_frame(sink, frame.pointer)
        if status == AVErrorAgain || status == AVErrorEndOfFile { return nil }
        try check(status, "av_buffersink_get_frame")
        frame.pointer.pointee.time_base = av_buffersink_get_time_base(sink)
        frame.pointer.pointee.best_effort_timestamp = frame.pointer.pointee.pts
        return frame
    }

    /// Makes all output frames but the last exactly this long, as the AAC encoder requires.
    package func setOutputFrameSize(_ samples: Int) {
        av_buffersink_set_frame_size(sink, UInt32(clamping: samples))
    }

    private static func makeSource(
        _ graph: UnsafeMutablePointer<AVFilterGraph>, _ name: String, _ kind: String, like frame: Frame
    ) throws(LibavError) -> Source {
        let source = try allocated(
            avfilter_graph_alloc_filter(graph, avfilter_get_by_name(kind), name), "avfilter_graph_alloc_filter")
        try configure(source, like: frame)
        return source
    }

    private static func configure(_ source: Source, like frame: Frame) throws(LibavError) {
        let parameters = try allocated(av_buffersrc_parameters_alloc(), "av_buffersrc_parameters_alloc")
        defer { av_free(parameters) }
        let frame = frame.pointer
        parameters.pointee.format = frame.pointee.format
        parameters.pointee.time_base = frame.pointee.time_base
        parameters.pointee.width = frame.pointee.width
        parameters.pointee.height = frame.pointee.height
        parameters.pointee.sample_aspect_ratio = frame.pointee.sample_aspect_ratio
        parameters.pointee.sample_rate = frame.pointee.sample_rate
        parameters.pointee.ch_layout = frame.pointee.ch_layout
        livephoto_set_source_color(parameters, frame)
        try check(av_buffersrc_parameters_set(source, parameters), "av_buffersrc_parameters_set")
        try check(avfilter_init_str(source, nil), "avfilter_init_str")
    }

    private static func link(
        _ graph: UnsafeMutablePointer<AVFilterGraph>, _ filters: String,
        from source: Source, and side: Source?, to sink: UnsafeMutablePointer<AVFilterContext>
    ) throws(LibavError) {
        // From the chain's point of view, our sources are outputs and our sink an input.
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
        if let side {
            let next = try allocated(avfilter_inout_alloc(), "avfilter_inout_alloc")
            next.pointee.name = av_strdup("side")
            next.pointee.filter_ctx = side
            // Freed with the list.
            out.pointee.next = next
        }
        into.pointee.name = av_strdup("out")
        into.pointee.filter_ctx = sink
        try check(avfilter_graph_parse_ptr(graph, filters, &inputs, &outputs, nil), "avfilter_graph_parse_ptr")
    }
}

/// Owns an AVFilterGraph and its filters.
private final class GraphOwner {
    let graph: UnsafeMutablePointer<AVFilterGraph>

    init() throws(LibavError) {
        graph = try allocated(avfilter_graph_alloc(), "avfilter_graph_alloc")
    }

    deinit {
        var graph: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&graph)
    }
}

/// The properties that a graph is configured for; a frame with others needs another graph.
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
