import Bytes

/// Changes the description of a motion photo's movie in XMP (Motion Photo format 1.0); all other bytes stay unchanged.
struct MotionPhotoXMP: Sendable {
    /// The description of a movie at the end of the file.
    struct Movie: Sendable {
        var photoType: String
        /// Bytes between the photo and the movie: the header of `mpvd` in a HEIF.
        var padding: Int
        /// A MIME type, as `photoType`.
        var type: String
        /// In bytes.
        var length: Int
        /// The time in the movie at which the photo was taken; nil if unknown.
        var presentationMicroseconds: Int64?
    }

    private let original: [UInt8]
    /// The edited packet in UTF-8, or a new one.
    private let bytes: [UInt8]
    private let places: MotionPhotoPlaces

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
    }

    private static let newPacket = Array(
        """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="\(XMLNamespace.rdf)">
          <rdf:Description rdf:about=""/>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """.utf8)

    /// The packet without a movie, of the same length.
    func withoutMovie() throws(ParseError) -> [UInt8] {
        places.removals.isEmpty ? original : try applying([])
    }

    /// The packet with this movie and no other, of the same length if its white space allows it. Other items of the
    /// file stay listed before the movie.
    func with(_ movie: Movie) throws(ParseError) -> [UInt8] {
        guard let node = places.node else {
            throw ParseError(.missing, in: "XMP", at: 0, expected: "an rdf:Description")
        }
        var tag = Names(node.bindings)
        let camera = tag.prefix(XMLNamespace.googleCamera, "GCamera")
        let time = movie.presentationMicroseconds ?? -1
        // Some readers find these properties only as attributes.
        let properties =
            " \(camera):MotionPhoto=\"1\" \(camera):MotionPhotoVersion=\"1\""
            + " \(camera):MotionPhotoPresentationTimestampUs=\"\(time)\""
        var attributes = tag.declarations + properties
        var splices: [Splice] = []
        if let end = places.itemsEnd {
            var names = Names(end.bindings)
            let item = item(&names, movie.type, "MotionPhoto", length: movie.length, padding: 0, declares: true)
            splices.append(Splice(end.place..<end.place, Array(item.utf8)))
        } else {
            var names = Names(node.bindings)
            let container = names.prefix(XMLNamespace.googleContainer, "Container")
            let rdf = names.prefix(XMLNamespace.rdf, "rdf")
            let items =
                item(&names, movie.photoType, "Primary", length: 0, padding: movie.padding)
                + item(&names, movie.type, "MotionPhoto", length: movie.length, padding: 0)
            let directory =
                "<\(container):Directory\(names.declarations)><\(rdf):Seq>\(items)</\(rdf):Seq></\(container):Directory>"
            if node.isEmpty {
                attributes += ">\(directory)</\(node.name)>"
            } else {
                splices.append(Splice(node.content..<node.content, Array(directory.utf8)))
            }
        }
        // An empty element's tag ends with two characters.
        let end = node.isEmpty ? node.content - 2..<node.content : node.content - 1..<node.content - 1
        splices.append(Splice(end, Array((attributes + (node.isEmpty && places.itemsEnd != nil ? "/>" : "")).utf8)))
        return try applying(splices)
    }

    /// An item of the directory.
    ///
    /// - Parameter declares: whether its element declares the name spaces, rather than one around it.
    private func item(
        _ names: inout Names, _ type: String, _ semantic: String, length: Int, padding: Int, declares: Bool = false
    ) -> String {
        let rdf = names.prefix(XMLNamespace.rdf, "rdf")
        let container = names.prefix(XMLNamespace.googleContainer, "Container")
        let item = names.prefix(XMLNamespace.googleContainerItem, "Item")
        let declarations = declares ? names.declarations : ""
        return "<\(rdf):li\(declarations) \(rdf):parseType=\"Resource\"><\(container):Item \(item):Mime=\"\(type)\""
            + " \(item):Semantic=\"\(semantic)\" \(item):Length=\"\(length)\" \(item):Padding=\"\(padding)\"/>"
            + "</\(rdf):li>"
    }

    /// Removes the description of a movie, adds `splices`, and adjusts the white space after the root element.
    private func applying(_ splices: [Splice]) throws(ParseError) -> [UInt8] {
        let body = try Array(bytes[..<places.rootEnd])
            .applying(places.removals.map { Splice($0, []) } + splices, structure: "XMP")
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

/// Prefixes for new names: those already bound to their name spaces, and others to declare.
private struct Names {
    private let bindings: XMLBindings
    private var declared: [(prefix: String, uri: String)] = []

    init(_ bindings: XMLBindings) {
        self.bindings = bindings
    }

    /// The declarations that the element needs.
    var declarations: String { declared.map { " xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined() }

    /// - Parameter usual: the prefix that readers expect; some compare only the prefix.
    mutating func prefix(_ uri: String, _ usual: String) -> String {
        if let known = declared.first(where: { $0.uri == uri })?.prefix ?? bindings.prefix(of: uri) { return known }
        var prefix = usual
        while bindings.uri(of: prefix) != nil || declared.contains(where: { $0.prefix == prefix }) { prefix += "_" }
        declared.append((prefix, uri))
        return prefix
    }
}
