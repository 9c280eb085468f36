import ISOBMFF

/// Movies of which tracks are changed or left out, while the media stay where they are.
extension MovieReader {
    /// The number of tracks of sound.
    package var soundTrackCount: Int { tracks.count { $0.kind == .audio } }

    /// Throws if several tracks have one number, which makes references to them ambiguous.
    package func checkTrackNumbers() throws(MovieEditError) {
        var seen: Set<UInt32> = []
        for track in tracks where !seen.insert(track.id).inserted { throw .duplicateTrack(id: track.id) }
    }

    /// The movie without its sound.
    ///
    /// - Throws: `MovieEditError` for a movie that cannot be changed; `Errno` of pread(2).
    package func withoutSound() throws -> MovieReader {
        var durations: [UInt64?] = []
        return try editingTracks { _, track, _ in
            guard track.kind != .audio else { return false }
            durations.append(track.box.header.duration)
            return true
        } header: { header in
            let known = durations.compactMap(\.self)
            if known.count == durations.count { header.duration = known.max() ?? header.duration }
        }
    }

    /// The movie with the one video track that players show; unchanged if it has no other.
    ///
    /// - Throws: `MovieEditError` for a movie that cannot be changed; `Errno` of pread(2).
    package func withOneVideo() throws -> MovieReader {
        guard videoTrackCount > 1, let shown = shownVideoIndex else { return self }
        return try editingTracks { index, track, _ in
            index == shown || track.kind != .video
        } header: { _ in
        }
    }

    /// Changes or removes tracks, which are told apart by their order: damaged files may have a number twice.
    ///
    /// - Parameters:
    ///   - change: changes the boxes in a `trak`, and returns whether the track is kept.
    ///   - changeHeader: called after all tracks.
    func editingTracks(
        _ change: (_ index: Int, Track, inout [OpaqueBox]) throws -> Bool,
        header changeHeader: (inout MovieHeaderBox) -> Void
    ) throws -> MovieReader {
        try checkEditable(tracks)
        try checkTrackNumbers()
        var movie = try movieBox()
        try movie.editBoxes { boxes in
            var index = 0
            var kept: [OpaqueBox] = []
            var keptIDs: Set<UInt32> = []
            for var box in boxes {
                if box.type == TrackBox.type, index < tracks.count {
                    let track = tracks[index]
                    var isKept = true
                    try box.editBoxes { isKept = try change(index, track, &$0) }
                    index += 1
                    guard isKept else { continue }
                    keptIDs.insert(track.id)
                }
                kept.append(box)
            }
            for index in kept.indices where kept[index].type == TrackBox.type {
                try kept[index].editBoxes { try $0.keepReferences(to: keptIDs) }
            }
            boxes = kept
            try boxes.edit([MovieHeaderBox.type]) { try $0.edit(as: MovieHeaderBox.self, changeHeader) }
        }
        return try replacingMovie(by: movie)
    }
}
