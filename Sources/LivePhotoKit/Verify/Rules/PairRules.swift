import MediaModel
import StillImage

extension Rule {
    static let pairRules = [identifiersEqual, identifierForm, sameOrientation, sameShape, samePicture]

    /// The rules that decide whether two files are a pair at all.
    static let pairing = [photoReadable, movieReadable, photoIdentifier, movieIdentifier, identifiersEqual]

    static let identifiersEqual = Rule(
        "identifiers-equal", .error, "Both files have exactly the same content identifier, including case.",
        effect: "Photos rejects the pair (error -1, reported) or imports it as two separate items.",
        remedy: "If they belong together: livephoto link PHOTO MOVIE --in-place --force."
    ) { pair in
        guard let photo = pair.photoIdentifier, let movie = pair.movieIdentifier, photo != movie else { return [] }
        let difference =
            photo.lowercasedASCII == movie.lowercasedASCII ? " (they differ only in case, which matters)" : ""
        return ["the photo's content identifier is \(quoted(photo)), the movie's \(quoted(movie))\(difference)"]
    }

    static let identifierForm = Rule(
        "identifier-form", .warning, "The content identifier is a UUID in upper case.",
        effect: "Photos compares identifiers as text and accepts others, but some tools do not.",
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place, with --id and the UUID in upper case."
    ) { pair in
        // identifiers-equal reports a difference between the files.
        guard let identifier = pair.movieIdentifier ?? pair.photoIdentifier,
            ContentIdentifier(identifier).map({ FileText($0.string) }) != identifier
        else { return [] }
        return ["the content identifier \(quoted(identifier)) is not a UUID in upper case"]
    }

    static let sameOrientation = Rule(
        "same-orientation", .warning, "Photo and movie are both portrait or both landscape.",
        effect: "Photos plays the movie rotated, or shows only a small part of it.",
        remedy: "Rotate the movie to match the photo and create the pair again."
    ) { pair in
        guard let (photo, movie) = pair.sizes, photo.isUpright != movie.isUpright, !photo.hasShape(of: movie) else {
            return []
        }
        return ["the photo is \(photo) and the movie \(movie): one is portrait, the other landscape"]
    }

    static let sameShape = Rule(
        "same-shape", .warning, "Photo and movie have the same aspect ratio.",
        effect:
            "Photos scales the movie to fill the photo's frame and crops the rest, so the picture jumps when it plays.",
        remedy: "Crop one of them: livephoto convert MOVIE --photo PHOTO --fill W:H, with the photo's aspect ratio."
    ) { pair in
        guard let (photo, movie) = pair.sizes, photo.isUpright == movie.isUpright, !photo.hasShape(of: movie) else {
            return []
        }
        return ["the photo is \(photo) and the movie \(movie), which has another aspect ratio"]
    }

    /// Lower values mean different scenes; higher ones the same moment with another quality, crop or colour.
    static let similarityThreshold = 0.4

    static let samePicture = Rule(
        "same-picture", .warning, "The photo shows what the movie shows at the still time.",
        effect: "The picture jumps when it plays, and the lock screen does not accept it.",
        remedy: "Create the pair again with --still at the moment of the photo."
    ) { pair in
        switch pair.similarity {
        case .success(let similarity)? where similarity < similarityThreshold:
            let found = decimal(similarity, places: 2)
            return ["the photo differs from the movie's frame at the still time (structural similarity \(found))"]
        case .failure(let error)?: return ["the pictures cannot be compared: \(error.reason)"]
        case .success?, nil: return []
        }
    }
}

extension PairFacts {
    /// The display sizes of both.
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
