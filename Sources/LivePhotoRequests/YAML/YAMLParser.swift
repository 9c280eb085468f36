import CYAML

/// A parser of libyaml and the text that it reads. No pointer of libyaml leaves this file.
final class YAMLParser {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The parser refers to this memory and does not copy it.
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) throws(YAMLParserError) {
        let bytes = Array(text.utf8)
        self.text = .allocate(capacity: bytes.count)
        _ = self.text.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else { throw .outOfMemory }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.text.baseAddress, bytes.count)
    }

    deinit {
        // Also frees a parser that could not be initialized: its pointers are null.
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The next event. After the end of the stream, it is `.streamEnd` forever.
    func next() throws(YAMLParserError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw YAMLParserError(parser.pointee) }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }
}

/// A part of a document.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd
        case documentStart, documentEnd
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
        case alias
    }

    let kind: Kind
    let place: YAMLPlace
    var hasAnchor = false
    var hasTag = false

    fileprivate init(_ event: yaml_event_t) {
        place = YAMLPlace(event.start_mark)
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            // The value may contain null characters.
            let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(String(decoding: value, as: UTF8.self), isPlain: isPlain)
            hasAnchor = scalar.anchor != nil
            hasTag = (isPlain ? scalar.plain_implicit : scalar.quoted_implicit) == 0
        case YAML_SEQUENCE_START_EVENT:
            kind = .sequenceStart
            hasAnchor = event.data.sequence_start.anchor != nil
            hasTag = event.data.sequence_start.implicit == 0
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            hasAnchor = event.data.mapping_start.anchor != nil
            hasTag = event.data.mapping_start.implicit == 0
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_ALIAS_EVENT: kind = .alias
        default: kind = .streamEnd
        }
    }
}

/// A position in the parsed text, from 0. Columns are Unicode scalars.
struct YAMLPlace {
    let line: Int
    let column: Int

    fileprivate init(_ mark: yaml_mark_t) {
        (line, column) = (mark.line, mark.column)
    }
}

enum YAMLParserError: Error {
    case outOfMemory
    /// - Parameter context: what was being parsed (“while scanning an alias”), and where it began.
    case invalid(problem: String, YAMLPlace, context: (text: String, place: YAMLPlace)?)

    fileprivate init(_ parser: yaml_parser_t) {
        guard parser.error != YAML_MEMORY_ERROR, let problem = parser.problem else {
            self = .outOfMemory
            return
        }
        self = .invalid(
            problem: String(cString: problem), YAMLPlace(parser.problem_mark),
            context: parser.context.map { (String(cString: $0), YAMLPlace(parser.context_mark)) })
    }
}
