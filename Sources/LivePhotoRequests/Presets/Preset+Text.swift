import MediaModel

extension Preset {
    /// The preset as a file that extends no other: each key with its value.
    public var yaml: String {
        Key.allCases.map { key in
            switch key {
            case .name: line(key, name)
            case .description: line(key, description)
            case .extends: line(key, nil)
            case .window: section(key, window.text)
            case .picture: section(key, picture.text)
            case .video: section(key, video.text)
            case .audio: section(key, audio.text)
            case .photo: section(key, photo.text)
            case .metadata: line(key, metadata.description)
            case .limits: section(key, limits.text)
            }
        }.joined()
    }

    private func line(_ key: some RawRepresentable<String>, _ value: String?) -> String {
        "\(key.rawValue): \(value.map(scalar) ?? "null")\n"
    }

    private func section<Inner: YAMLKey>(_ key: Key, _ value: (Inner) -> String?) -> String {
        "\(key.rawValue):\n" + Inner.allCases.map { "  " + line($0, value($0)) }.joined()
    }

    /// A scalar that is read as `text`, quoted unless nothing in it could be taken for YAML's own signs.
    private func scalar(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        let begins = text.first.map { $0.isLetter || $0.isNumber } ?? false
        if isPlain, begins, text.last != " ", text.lowercased() != "null" { return text }
        return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
        guard !YAMLText.isAllowed(scalar) else { return String(scalar) }
        return "\\U" + padded(scalar.value, 8, radix: 16)
    }
}

extension Preset.Window {
    fileprivate func text(_ key: Key) -> String? {
        switch key {
        case .still: still?.description
        case .start: start?.description
        case .end: end?.description
        case .duration: duration?.optionText
        case .before: before.optionText
        case .after: after.optionText
        }
    }
}

extension Preset.Picture {
    fileprivate func text(_ key: Key) -> String? {
        switch (key, framing.shape) {
        case (.crop, _): framing.crop?.description
        case (.fill, .fill(let shape)), (.fit, .fit(let shape)): shape.description
        case (.fill, _), (.fit, _): nil
        case (.toneMap, _): toneMapping.description
        case (.background, _): background.description
        }
    }
}

extension Preset.Video {
    fileprivate func text(_ key: Key) -> String? {
        switch key {
        case .codec: codec.description
        case .frameRate: frameRate.description
        case .maxSize: maxSize.description
        case .x264Preset: x264Preset.description
        case .crf: crf.description
        }
    }
}

extension Preset.Audio {
    fileprivate func text(_ key: Key) -> String? {
        switch key {
        case .mode: mode.description
        case .bitrate: bitrate.description
        }
    }
}

extension Preset.Photo {
    fileprivate func text(_ key: Key) -> String? {
        switch key {
        case .format: format.description
        case .quality: quality.description
        }
    }
}

extension Preset.Limits {
    fileprivate func text(_ key: Key) -> String? {
        switch key {
        case .timeout: timeout.description
        case .memory: memory?.description
        }
    }
}
