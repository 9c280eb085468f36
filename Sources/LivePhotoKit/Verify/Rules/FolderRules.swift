import SystemPackage

extension Rule {
    static let folderRules = [sameFolder, sameName, photoAlone, movieAlone, identifierShared]

    static let sameFolder = Rule(
        "same-folder", .warning, "Both files are in one folder.",
        effect: "Photos and AirDrop treat them as two separate items unless both are selected together.",
        remedy: "Move them into one folder."
    ) { pair in
        let (photo, movie) = (pair.photo.path.folder, pair.movie.path.folder)
        guard photo != movie, FileIdentity(photo, followingLink: true) != FileIdentity(movie, followingLink: true)
        else { return [] }
        return ["the photo is in \(photo), the movie in \(movie)"]
    }

    static let sameName = Rule(
        "same-name", .note, "Both files have the same name.",
        effect: "Photos pairs files by identifier, but many other programs pair them by name.",
        remedy: "Rename one of them."
    ) { pair in
        guard let photo = pair.photo.path.stem, let movie = pair.movie.path.stem, photo != movie else { return [] }
        return ["the photo is named \(photo), the movie \(movie)"]
    }

    static let photoAlone = Rule(
        "photo-alone", .warning, "A photo with a content identifier has a movie with the same identifier.",
        effect: "Photos imports it as a still photo.",
        remedy: "Find the movie with the same identifier, or create one: livephoto convert CLIP --photo PHOTO.")

    static let movieAlone = Rule(
        "movie-alone", .warning, "A movie with a content identifier has a photo with the same identifier.",
        effect: "Photos imports it as a video.",
        remedy: "Find the photo with the same identifier, or create the pair again: livephoto convert MOVIE.")

    static let identifierShared = Rule(
        "identifier-shared", .warning, "A content identifier belongs to one photo and one movie.",
        effect: "It is ambiguous which photo belongs to which movie, and Photos may pair the wrong ones.",
        remedy: "Remove the duplicates, or create one of the pairs again with a new identifier.")
}
