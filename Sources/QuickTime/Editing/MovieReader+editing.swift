import Bytes
import ISOBMFF

extension MovieReader {
    /// The bytes of `moov`.
    func movieBox() throws -> OpaqueBox {
        if let replacement { return replacement }
        return OpaqueBox(try movieLocation.read(from: file, limit: MovieLimits.movieBoxSize))
    }

    /// Throws unless the movie's description can be rewritten without changing the media.
    ///
    /// - Parameter tracks: the tracks that are kept.
    func checkEditable(_ tracks: [Track]) throws {
        guard !isFragmented else { throw MovieEditError.fragmented }
        if let box = movie.unreadableBoxes.first(where: { $0.type == TrackBox.type }) {
            throw MovieEditError.damaged(box.error)
        }
        for track in tracks {
            let information = track.box.media.information
            guard
                !information.sampleTable.descriptions.entries.contains(where: {
                    SampleFormat.encryptedTypes.contains($0.type)
                })
            else {
                throw MovieEditError.encrypted(trackID: track.id)
            }
            guard track.isInFile else { throw MovieEditError.externalMedia(trackID: track.id) }
        }
    }

    /// Throws unless the samples of a track can be located within the media. Only the linked video is checked; damage
    /// in other tracks stays.
    private func checkPlaces(of track: Track) throws(MovieEditError) {
        let misplaced: MisplacedSample?
        do throws(ParseError) {
            misplaced = try firstMisplacedSample(of: track)
        } catch {
            throw .damaged(error)
        }
        // Some writers store too small a size for a box of media; players use the sample table.
        if let misplaced, misplaced.place != .betweenBoxes { throw .misplacedSample(misplaced, trackID: track.id) }
    }

    /// The first video track, which players show. Throws unless Live Photos support its codec.
    func linkableVideo() throws -> Track {
        guard let video = shownVideo else { throw MovieEditError.noVideo }
        let entries = video.box.media.information.sampleTable.descriptions.entries
        guard !entries.isEmpty else { throw MovieEditError.unsupportedCodec(name: "of no known codec") }
        if let other = entries.first(where: { !SampleFormat.livePhotoVideoTypes.contains($0.type) }) {
            throw MovieEditError.unsupportedCodec(name: SampleFormat.name(of: other.type))
        }
        try checkPlaces(of: video)
        return video
    }
}
