import MediaModel
import StillImage

extension Rule {
    static let pairRules = [identifiersEqual, identifierForm, sameOrientation, sameShape, samePicture]

    static let identifiersEqual = Rule(
        "identifiers-equal", .error, "Both files carry the same content identifier, letter by letter.",
        effect: "Photos rejects the pair (error 3302), or imports its files as two separate items.",
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place."
    ) { pair in
        guard let photo = pair.photoIdentifier, let movie = pair.movieIdentifier, photo != movie else { return [] }
        let difference = photo.lowercased() == movie.lowercased() ? " (they differ in case only, which counts)" : ""
        return ["the photo's content identifier is \(quoted(photo)), the movie's \(quoted(movie))\(difference)"]
    }

    static let identifierForm = Rule(
        "identifier-form", .warning, "The content identifier is a UUID in capitals.",
        effect: "Photos compares identifiers as texts and takes others, but not all tools do.",
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place, with --id and the UUID in capitals."
    ) { pair in
        // A difference between the files is another rule's.
        guard let identifier = pair.movieIdentifier ?? pair.photoIdentifier,
            ContentIdentifier(identifier)?.string != identifier
        else { return [] }
        return ["the content identifier \(quoted(identifier)) is no UUID in capitals"]
    }

    static let sameOrientation = Rule(
        "same-orientation", .warning, "Photo and movie are both upright, or both lie.",
        effect: "Photos shows the movie turned, or a small part of it, while it plays.",
        remedy: "Turn the movie as the photo is, and make the pair again."
    ) { pair in
        guard let (photo, movie) = pair.sizes, photo.isUpright != movie.isUpright, !photo.hasShape(of: movie) else {
            return []
        }
        return ["the photo is \(photo) and the movie \(movie): one is upright, the other lies"]
    }

    static let sameShape = Rule(
        "same-shape", .warning, "Photo and movie have the same shape.",
        effect:
            "Photos fills the photo's frame with the movie and cuts off what is over, so the picture jumps when it plays.",
        remedy: "Crop one of them: livephoto convert MOVIE --photo PHOTO --fill W:H, with the photo's shape."
    ) { pair in
        guard let (photo, movie) = pair.sizes, photo.isUpright == movie.isUpright, !photo.hasShape(of: movie) else {
            return []
        }
        return ["the photo is \(photo) and the movie \(movie), which is another shape"]
    }

    /// Below it are other scenes, above it the same moment in another quality, crop or colour.
    static let similarityThreshold = 0.4

    static let samePicture = Rule(
        "same-picture", .warning, "The photo shows what the movie shows at the still time.",
        effect: "The picture jumps when it plays, and the lock screen refuses it.",
        remedy: "Make the pair again with a --still at the photo's moment."
    ) { pair in
        switch pair.similarity {
        case .success(let similarity)? where similarity < similarityThreshold:
            let found = decimal(similarity, places: 2)
            return ["the photo is unlike the movie's frame at the still time (structural similarity \(found))"]
        case .failure(let error)?: return ["the pictures cannot be compared: \(error.reason)"]
        case .success?, nil: return []
        }
    }
}

extension PairFacts {
    /// Both as they are shown.
    fileprivate var sizes: (photo: PixelSize, movie: PixelSize)? {
        guard let photo = photo.facts?.displaySize, let movie = movie.facts?.displaySize, photo.shortEdge > 0,
            movie.shortEdge > 0
        else { return nil }
        return (photo, movie)
    }
}

extension PixelSize {
    fileprivate var isUpright: Bool { height > width }
}
