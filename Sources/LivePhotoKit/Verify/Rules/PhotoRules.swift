import StillImage

extension Rule {
    static let photoRules = [photoReadable, photoWhole, photoIdentifier, photoExtension]

    static let photoReadable = Rule(
        "photo-readable", .error, "The photo is a JPEG or a HEIC whose structure can be read.",
        effect: "Photos does not import it.",
        remedy: "Export the photo again. For other formats: livephoto convert MOVIE --photo PHOTO."
    ) { pair in
        if let fault = pair.photo.fault { return ["the photo cannot be read: \(fault)"] }
        return pair.photo.facts?.format == .avif ? ["the photo is an AVIF, which Live Photos do not support"] : []
    }

    static let photoWhole = Rule(
        "photo-whole", .error, "The photo's file does not end before its picture does.",
        effect: "Photos shows a part of the picture, or does not import it.",
        remedy: "Copy the photo from its source again."
    ) { pair in
        pair.photoTruncation.map { ["the photo is cut off: \($0)"] } ?? []
    }

    static let photoIdentifier = Rule(
        "photo-identifier", .error, "The photo has a content identifier in Apple's MakerNote.",
        effect: "Photos imports the photo and the movie as two separate items, or rejects them (error -1, reported).",
        remedy: "Link the pair again: livephoto link PHOTO MOVIE --in-place."
    ) { pair in
        guard case .failure(let why)? = pair.photo.facts?.contentIdentifier else { return [] }
        return ["the photo \(why)"]
    }

    static let photoExtension = Rule(
        "photo-extension", .warning, "The photo's extension matches its format: .JPG or .JPEG, or .HEIC.",
        effect:
            "Photos recognizes the photo by its extension and may reject a photo in another format.",
        remedy: "Rename the file."
    ) { pair in
        let (name, allowed): (String, Set<String>)
        switch pair.photo.facts?.format {
        case .jpeg?: (name, allowed) = ("a JPEG", ["jpg", "jpeg", "jpe"])
        case .heic?: (name, allowed) = ("a HEIC", ["heic", "heif", "hif"])
        // Renaming does not help: photo-readable reports it.
        case .avif?, nil: return []
        }
        let found = pair.photo.path.extension
        guard !allowed.contains(found?.lowercased() ?? "") else { return [] }
        return ["the photo is \(name) and \(found.map { "is named .\($0)" } ?? "has no extension")"]
    }
}
