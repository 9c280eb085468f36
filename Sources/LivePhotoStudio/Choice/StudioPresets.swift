import LivePhotoKit
package import LivePhotoRequests

/// Presets by their names.
package struct StudioPresets: Sendable {
    let all: [Preset]
    /// The name of the first choice.
    let first: String

    package init(all: [Preset], first: String) { (self.all, self.first) = (all, first) }

    /// - Throws: `LivePhotoError` for an unknown name.
    func preset(named name: String?) throws(LivePhotoError) -> Preset {
        let name = name ?? first
        guard let preset = all.first(where: { $0.name == name }) else {
            throw LivePhotoError(.invalidRequest, nil, "there is no preset \(quoted(name))")
        }
        return preset
    }
}
