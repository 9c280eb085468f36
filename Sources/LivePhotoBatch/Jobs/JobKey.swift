import LivePhotoRequests

/// The keys of a job that are not a `Setting`.
package enum JobKey: String, CaseIterable, Sendable {
    case id, input, movie, photo, edit, output, name, preset, date, contentIdentifier

    /// All keys of a job.
    package static let names = allCases.map(\.rawValue) + Setting.all.compactMap(\.jobKey)
    /// Keys that can have a default.
    package static let defaultNames = names.filter {
        ![id, input, movie, contentIdentifier].map(\.rawValue).contains($0)
    }
    /// Keys of a job that links a photo and a movie.
    static let linkNames =
        [id, movie, photo, output, name, date, contentIdentifier].map(\.rawValue) + [Setting.still.key]
    /// Keys of a job that edits a Live Photo.
    static let editNames = [id, input, photo, edit, output, name, date, contentIdentifier].map(\.rawValue)

    package var help: String {
        switch self {
        case .id: "Unique name of the job in the journal and in reports; `output/name` by default."
        case .input:
            "The clip. A pattern with `*`, `?`, `[…]` or `**` (any folders, not followed through symbolic links; at the "
                + "end, all files below) creates a job for each match, sorted by name. Hidden files match only a pattern "
                + "with a leading dot; `.edit.yaml` files and earlier results match none. An existing file of this name comes first. With "
                + "`edit`, the photo or movie of a Live Photo, whose other file is beside it and has the same name."
        case .movie:
            "Instead of `input`: a movie to link with `photo` without re-encoding. Such jobs accept `id`, `output`, "
                + "`name`, `still`, `date` and `contentIdentifier` only."
        case .photo:
            "A photo to use instead of the clip's frame; with `movie`, the photo to link; with `edit`, the photo of the "
                + "Live Photo, if `input` is its movie and has another name."
        case .edit:
            "Edit the Live Photo `input` as `livephoto edit` does, with a recipe: its keys, such as `{exposure: 0.5, "
                + "no-audio: true}`, or the path of its file. Such jobs accept `id`, `input`, `photo`, `output`, `name`, "
                + "`date` and `contentIdentifier` only."
        case .output: "A folder below the output folder of the batch."
        case .name: "Name of both files without extension; by default that of the input."
        case .preset:
            "Name or file of a preset, or preset keys: `{extends: classic, video: {crf: 18}}`. Keys left out are those of "
                + "the preset it extends, or of classic."
        case .date:
            "When the clip was recorded, such as 2025-10-12T23:36:14+13:00, or `file` for its modification time, with "
                + "`movie` or `edit` for that of the photo; by default the date in the file, in a sidecar of Google Takeout, or in "
                + "the file name."
        case .contentIdentifier:
            "Content identifier of the pair, a UUID; by default derived from clip and options."
        }
    }
}
