public import LivePhotoKit
import SystemPackage

/// What can be wrong with a preset or a job file. All are refinements of `invalidRequest`.
extension LivePhotoError.Code {
    /// Not UTF-8, not YAML, or a part of YAML that is not supported here.
    public static let syntax = invalidRequest.refined("syntax")
    /// Larger or nested more deeply than any real file.
    public static let overLimit = invalidRequest.refined("overLimit")
    /// A key that does not exist at its place.
    public static let unknownKey = invalidRequest.refined("unknownKey")
    /// A required key is missing.
    public static let missingKey = invalidRequest.refined("missingKey")
    /// A key occurs twice in one mapping.
    public static let duplicateKey = invalidRequest.refined("duplicateKey")
    /// A list where a value is expected, nothing where something is, and so on.
    public static let wrongType = invalidRequest.refined("wrongType")
    /// A value that is not allowed for its key or option.
    public static let invalidValue = invalidRequest.refined("invalidValue")
    /// There is no preset of that name.
    public static let unknownPreset = invalidRequest.refined("unknownPreset")
    /// The name of a user's preset is not allowed, or differs from the name of its file.
    public static let invalidName = invalidRequest.refined("invalidName")
    /// Presets that extend each other in a circle or in too long a chain.
    public static let circularExtends = invalidRequest.refined("circularExtends")
    /// Two jobs that would create the same file, or have the same identifier.
    public static let conflict = invalidRequest.refined("conflict")
}

extension LivePhotoError {
    /// - Parameter file: as its user named it; nil for a preset's name that was not given in a file.
    package init(_ code: Code, file: String?, at place: Place? = nil, _ reason: String) {
        self.init(code, file.map { FilePath($0) }, at: place, reason)
    }
}
