import ISOBMFF

extension MovieReader {
    /// `moov` as it is in the file.
    func movieBox() throws -> OpaqueBox {
        guard let place = boxes.first(where: { $0.type == MovieBox.type }) else {
            throw MovieEditError.damaged(
                ParseError(.missing, in: "movie", at: file.size, expected: "a box of type \(MovieBox.type)"))
        }
        return OpaqueBox(try place.read(from: file, limit: MovieLimits.movieBoxSize))
    }

    /// Throws unless the movie's description can be written again with the media as they are.
    ///
    /// - Parameter tracks: those that will stay.
    func checkEditable(_ tracks: [Track]) throws {
        guard !isFragmented else { throw MovieEditError.fragmented }
        if let box = movie.unreadableBoxes.first(where: { $0.type == TrackBox.type }) {
            throw MovieEditError.damaged(box.error)
        }
        for track in tracks {
            let information = track.box.media.information
            guard !information.sampleTable.descriptions.entries.contains(where: { $0.isEncrypted }) else {
                throw MovieEditError.encrypted(trackID: track.id)
            }
            // A reference that names no file says no more than that of the same file.
            guard
                information.dataInformation?.references?.entries.allSatisfy({ $0.isSameFile || $0.data.isEmpty })
                    ?? true
            else { throw MovieEditError.externalMedia(trackID: track.id) }
        }
    }

    /// Throws unless the samples of a track are known and where they have to be. Of other tracks than the video that is
    /// linked, what is damaged stays as it is.
    private func checkPlaces(of track: Track) throws(MovieEditError) {
        let misplaced: MisplacedSample?
        do throws(ParseError) {
            misplaced = try firstMisplacedSample(of: track)
        } catch {
            throw .damaged(error)
        }
        // Some writers give a box of media too small a size; players go by the samples.
        if let misplaced, misplaced.place != .betweenBoxes { throw .misplacedSample(misplaced, trackID: track.id) }
    }

    /// The first video track, as which players take it, if it is of a codec of Live Photos.
    func linkableVideo() throws -> Track {
        guard let video = tracks.first(where: { $0.kind == .video }) else { throw MovieEditError.noVideo }
        let entries = video.box.media.information.sampleTable.descriptions.entries
        guard !entries.isEmpty else { throw MovieEditError.unsupportedCodec(name: "of no known codec") }
        if let other = entries.first(where: { !Self.linkableTypes.contains($0.type) }) {
            throw MovieEditError.unsupportedCodec(name: SampleFormat.name(of: other.type))
        }
        try checkPlaces(of: video)
        return video
    }

    private static let linkableTypes: Set<FourCC> = ["avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe"]
}

extension OpaqueBox {
    /// Of a sample entry.
    fileprivate var isEncrypted: Bool { SampleFormat.encryptedTypes.contains(type) }
}
