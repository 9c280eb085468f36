import Bytes
import MediaModel

/// Changes the description of a motion photo's movie in XMP (Motion Photo format 1.0); all other bytes stay unchanged.
struct MotionPhotoXMP: Sendable {
    /// The description of a movie at the end of the file.
    struct Movie: Sendable {
        var photoType: String
        /// Bytes between the photo and the next item: the header of `mpvd` in a HEIF.
        var padding: Int
        /// Bytes of the gain map after the photo, for XMP that lists no other items; nil if there is none.
        var gainMapLength: Int?
        /// Bytes between the last other item that XMP lists and the movie. They count as part of that item, because strict
        /// readers refuse a padding of it; pictures end at their own end marker.
        var trailingLength = 0
        /// A MIME type, as `photoType`.
        var type: String
        /// In bytes.
        var length: Int
        /// The time in the movie at which the photo was taken; nil if unknown.
        var presentationMicroseconds: Int64?
        /// The identifier that was moved here from Apple's MakerNote.
        var contentIdentifier: ContentIdentifier?
        var additions: Set<MotionPhotoAddition> = []

        var time: String { "\(presentationMicroseconds ?? -1)" }
    }

    /// The property that keeps the identifier. It is not called `ContentIdentifier`, because programs that look for tags
    /// by name alone would search for a separate movie.
    static let identifier = XMLName(XMLNamespace.livePhoto, "AppleContentIdentifier")

    private var original: [UInt8]
    /// The edited packet in UTF-8, or a new one.
    private let bytes: [UInt8]
    private let places: MotionPhotoPlaces
    /// The items of the file other than the photo and movies, in Google's name space.
    private let otherItems: [[XMP.Property]]

    /// - Parameters:
    ///   - packet: the photo's XMP; without a node that has properties, a new packet is created.
    ///   - fileOffset: its file offset, for errors.
    init(_ packet: [UInt8], fileOffset: Int = 0) throws(ParseError) {
        var reader = try XMLReader(packet, fileOffset: fileOffset)
        var places = try MotionPhotoPlaces(&reader)
        if places.node == nil {
            reader = try XMLReader(Self.newPacket)
            places = try MotionPhotoPlaces(&reader)
        }
        original = packet
        bytes = reader.bytes
        self.places = places
        otherItems = try XMP(reader.bytes).otherItems
    }

    private static let newPacket = XMP.wrapped(
        ("""
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="\(XMLNamespace.rdf)">
          <rdf:Description rdf:about=""/>
         </rdf:RDF>
        </x:xmpmeta>
        """ as FileText).bytes)

    /// The packet without a movie, of the same length.
    func withoutMovie() throws(ParseError) -> [UInt8] {
        let removals = places.properties + places.movieItems
        return removals.isEmpty ? original : try applying(removals.map { Splice($0, []) })
    }

    /// Whether other items than the photo and a movie are listed.
    var listsOtherItems: Bool { !otherItems.isEmpty }

    /// The total length of the other items, as stated.
    var otherLength: Int { otherItems.reduce(0) { $0 + $1.length } }

    /// The packet with this movie and no other, of the same length if its white space allows it. Other items of the
    /// file stay listed before the movie.
    ///
    /// Some readers compare prefixes instead of name spaces, and find name spaces only where Google's cameras declare them
    /// (see also `PlainXMP`).
    func with(_ movie: Movie) throws(ParseError) -> [UInt8] {
        let plain = try PlainXMP(bytes).bytes
        guard plain == bytes else {
            var copy = try MotionPhotoXMP(plain)
            copy.original = original
            return try copy.with(movie)
        }
        guard let node = places.node else {
            throw ParseError(.missing, in: "XMP", at: 0, expected: "an rdf:Description")
        }
        var names = Names(node)
        let camera = names.prefix(XMLNamespace.googleCamera, "GCamera")
        // Some readers find these properties only as attributes.
        var properties: FileText =
            " \(camera):MotionPhoto=\"1\" \(camera):MotionPhotoVersion=\"1\""
            + " \(camera):MotionPhotoPresentationTimestampUs=\"\(movie.time)\""
        if let identifier = movie.contentIdentifier {
            let own = names.prefix(XMLNamespace.livePhoto, "LivePhoto")
            properties += " \(own):\(Self.identifier.local)=\"\(identifier)\""
        }
        for (prefix, name, value) in movie.additions.flatMap({ $0.properties(of: movie) }).sorted(by: {
            $0.name.local < $1.name.local
        }) {
            properties += " \(names.prefix(name.namespace, prefix)):\(name.local)=\"\(value)\""
        }
        let directory = directory(of: movie, &names)
        let attributes = names.declarations + properties
        var splices = (places.properties + places.directories).map { Splice($0, []) }
        if let end = places.rdfTagEnd {
            splices.append(Splice(end..<end, (" xmlns:rdf=\"\(XMLNamespace.rdf)\"" as FileText).bytes))
        }
        if node.isEmpty {
            // Its tag ends with two characters.
            let text: FileText = "\(attributes)>\(directory)</\(node.name)>"
            splices.append(Splice(node.content - 2..<node.content, text.bytes))
        } else {
            splices.append(Splice(node.content - 1..<node.content - 1, attributes.bytes))
            splices.append(Splice(node.content..<node.content, directory.bytes))
        }
        return try applying(splices)
    }

    private func directory(of movie: Movie, _ names: inout Names) -> FileText {
        let container = names.prefix(XMLNamespace.googleContainer, "Container")
        let item = names.prefix(XMLNamespace.googleContainerItem, "Item")
        let rdf = names.prefix(XMLNamespace.rdf, "rdf")
        func element(_ fields: [(name: FileText, value: FileText)]) -> FileText {
            let attributes = fields.map { " \(item):\($0.name)=\"\(XMLText.escaped($0.value))\"" as FileText }.joined()
            return "<\(rdf):li \(rdf):parseType=\"Resource\"><\(container):Item\(attributes)/></\(rdf):li>"
        }
        var primary: [(name: FileText, value: FileText)] = [
            ("Mime", FileText(movie.photoType)), ("Semantic", "Primary"), ("Length", "0"),
        ]
        var others = otherItems.map { fields in
            fields.compactMap { field in field.value.text.map { (name: field.name.local, value: $0) } }
        }
        if movie.trailingLength > 0, let last = otherItems.last {
            others[others.count - 1].removeAll { $0.0 == "Length" }
            others[others.count - 1].append(("Length", "\(last.length + movie.trailingLength)"))
        }
        if otherItems.isEmpty, let length = movie.gainMapLength {
            others.append([("Mime", "image/jpeg"), ("Semantic", "GainMap"), ("Length", "\(length)")])
        }
        // Strict readers refuse a padding of 0, and one of any other item.
        if movie.padding > 0 { primary.append(("Padding", "\(movie.padding)")) }
        var items = ([primary] + others).map(element)
        items.append(
            element([("Mime", FileText(movie.type)), ("Semantic", "MotionPhoto"), ("Length", "\(movie.length)")]))
        return "<\(container):Directory><\(rdf):Seq>\(items.joined())</\(rdf):Seq></\(container):Directory>"
    }

    /// Applies the splices and adjusts the white space after the root element.
    private func applying(_ splices: [Splice]) throws(ParseError) -> [UInt8] {
        let body = try Array(bytes[..<places.rootEnd]).applying(splices, structure: "XMP")
        let tail = bytes[places.rootEnd...]
        let space = tail.prefix { $0.isXMLSpace || $0 == 0 }
        let rest = tail.dropFirst(space.count)
        let spaceCount = max(original.count - body.count - rest.count, 0)
        let added = Array(repeating: UInt8(ascii: " "), count: max(spaceCount - space.count, 0))
        let packet = body + Array(space.prefix(spaceCount)) + added + rest
        // The result must be within the limits of its reader.
        _ = try XMP(packet)
        return packet
    }
}

extension XMP {
    /// The fields in Google's name space of the items other than the photo and movies.
    fileprivate var otherItems: [[Property]] {
        (self[XMLNamespace.googleContainer, "Directory"]?.items ?? []).compactMap { item in
            let item = item[XMLNamespace.googleContainer, "Item"] ?? item
            let semantic = item[XMLNamespace.googleContainerItem, "Semantic"]?.text
            guard case .structure(let fields) = item, !(["MotionPhoto", "Primary"] as [FileText?]).contains(semantic)
            else { return nil }
            // Padding is defined for the photo alone.
            return fields.filter {
                $0.name.namespace == XMLNamespace.googleContainerItem && $0.name.local != "Padding"
            }
        }
    }
}

extension [XMP.Property] {
    /// The length that the fields of an item state, up to 2⁴⁰ bytes.
    fileprivate var length: Int {
        Swift.min(Swift.max(first { $0.name.local == "Length" }?.value.integer ?? 0, 0), 1 << 40)
    }
}

/// Prefixes for new names in a node, and the declarations that its tag needs.
private struct Names {
    private let node: MotionPhotoPlaces.Node
    private var declared: [(prefix: FileText, uri: FileText)] = []

    init(_ node: MotionPhotoPlaces.Node) {
        self.node = node
    }

    /// The declarations that the tag needs.
    var declarations: FileText { declared.map { " xmlns:\($0.prefix)=\"\($0.uri)\"" as FileText }.joined() }

    /// - Parameter usual: the prefix that readers expect; some compare only the prefix.
    mutating func prefix(_ uri: FileText, _ usual: FileText) -> FileText {
        if let known = declared.first(where: { $0.uri == uri })?.prefix { return known }
        let bound = node.bindings.uri(of: usual)
        // RDF's own name space belongs on the element around the node.
        if bound == uri, uri == XMLNamespace.rdf || node.declaredPrefixes.contains(usual) { return usual }
        if bound != nil, bound != uri, let other = node.bindings.prefix(of: uri) { return other }
        var prefix = usual
        if bound != uri {
            while node.bindings.uri(of: prefix) != nil || declared.contains(where: { $0.prefix == prefix }) {
                prefix += "_"
            }
        }
        declared.append((prefix, uri))
        return prefix
    }
}
