import SystemPackage

extension Rule {
    static let folderRules = [sameFolder, sameName, photoAlone, movieAlone, identifierShared]

    static let sameFolder = Rule(
        "same-folder", .warning, "Both files are in one folder.",
        effect: "Photos and AirDrop take them for two things when they are not given at once.",
        remedy: "Put them into one folder."
    ) { pair in
        let (photo, movie) = (pair.photo.path.folder, pair.movie.path.folder)
        guard photo != movie, FileIdentity(photo, followingLink: true) != FileIdentity(movie, followingLink: true)
        else { return [] }
        return ["the photo is in \(photo), the movie in \(movie)"]
    }

    static let sameName = Rule(
        "same-name", .note, "Both files have the same name.",
        effect: "Photos pairs them by their identifiers, but many other programs by their names.",
        remedy: "Rename one of them."
    ) { pair in
        guard let photo = pair.photo.path.stem, let movie = pair.movie.path.stem, photo != movie else { return [] }
        return ["the photo is named \(photo), the movie \(movie)"]
    }

    static let photoAlone = Rule(
        "photo-alone", .warning, "A photo with a content identifier has its movie.",
        effect: "Photos imports a photo that does not move.",
        remedy: "Find the movie with the same identifier, or make one: livephoto convert CLIP --photo PHOTO.")

    static let movieAlone = Rule(
        "movie-alone", .warning, "A movie with a content identifier has its photo.",
        effect: "Photos imports a video.",
        remedy: "Find the photo with the same identifier, or make the pair again: livephoto convert MOVIE.")

    static let identifierShared = Rule(
        "identifier-shared", .warning, "A content identifier belongs to one photo and one movie.",
        effect: "Which photo goes with which movie is not certain: Photos may pair the wrong ones.",
        remedy: "Remove the copies, or make one of the pairs again, with an identifier of its own.")
}
