import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// What a job does, with everything from outside of its inputs that its result depends on.
enum JobWork: Sendable {
    case convert(ConversionRequest)
    case link(LinkRequest)
    case edit(EditRequest)

    /// - Parameter keepsHEIC: whether a HEIC that is edited stays one.
    /// - Throws: `LivePhotoError` for inputs that cannot be used.
    init(_ task: JobTask, keepsHEIC: Bool) throws {
        switch task {
        case .convert(let request):
            try InputFileCheck.checkClip(request.clip)
            self = .convert(try request.withOutsideMetadata())
        case .link(let request): self = .link(request)
        case .edit(let input, let photo, var settings):
            let pair = try photo.map { try PairPaths(input, $0) } ?? PairPaths(besides: input, byIdentifierOnly: true)
            settings.keepsHEIC = keepsHEIC
            var request = EditRequest(pair, settings)
            request.ownIdentifier = try LivePhoto(photo: pair.photo, movie: pair.movie).contentIdentifier
            self = .edit(request)
        }
    }

    /// The files that the pair is made from.
    var files: [FilePath] {
        switch self {
        case .convert(let request):
            [request.clip] + [request.photo, request.preset.adjustments.colorTable?.path].compactMap(\.self)
        case .link(let request): [request.photo, request.movie]
        case .edit(let request):
            [request.photo, request.movie]
                + [request.settings.recipe[.lut].flatMap { LookupTableFile(text: $0)?.path }].compactMap(\.self)
        }
    }

    /// Everything that determines the bytes of the pair except the content of its inputs.
    var effectiveOptions: String {
        get throws(LivePhotoError) {
            switch self {
            case .convert(let request):
                var settings = request.preset
                (settings.name, settings.description, settings.limits) = ("", "", .none)
                // Its content counts, wherever the file is.
                if settings.adjustments.colorTable != nil { settings.adjustments.colorTable = Self.anyTable }
                let name = request.name ?? request.clip.stem
                let outside = request.work.outsideMetadata
                let others = [name, request.contentIdentifier?.string, outside?.requestedDate?.date.iso8601]
                // Another sidecar or time of the file gives another pair.
                let found = [outside?.date?.date.iso8601, outside?.location?.iso6709].compactMap(\.self)
                return "convert\n\(settings.yaml)\((others.map { $0 ?? "" } + found).joined(separator: "\n"))"
            case .link(let request):
                let others = [request.name, request.contentIdentifier?.string, request.still?.description]
                let date = try OutsideMetadata.SourcedDate(request.captureDate, ofFile: request.photo)?.date
                let found = [request.photo, request.movie].map(FileMetadata.init).flatMap {
                    [$0.captureDate?.iso8601, $0.location?.iso6709].compactMap(\.self)
                }
                let added = [date?.iso8601].compactMap(\.self) + found
                return "link\n\((others.map { $0 ?? "" } + added).joined(separator: "\n"))"
            case .edit(let request):
                let settings = request.settings
                let others = [settings.name, settings.requestedIdentifier?.string, settings.keepsHEIC ? "HEIC" : nil]
                let date = try OutsideMetadata.SourcedDate(settings.captureDate, ofFile: request.photo)?.date.iso8601
                var recipe = settings.recipe
                if recipe[.lut] != nil { recipe[.lut] = Self.anyTable?.optionText }
                return "edit\n\(recipe.yaml(comments: []))"
                    + (others + [date]).map { $0 ?? "" }.joined(separator: "\n")
            }
        }
    }

    private static let anyTable = LookupTableFile(text: "/input.cube")
}
