import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// The command that does the same, for people to copy.
struct CommandText: Sendable {
    private var words: [String]

    init(_ command: String) { words = ["livephoto", command] }

    /// - Parameter path: as it was written.
    mutating func add(_ path: FilePath) { words.append(shellWord(path.string)) }

    /// - Parameter value: nil adds nothing.
    mutating func add(_ option: String, _ value: String?) {
        guard let value else { return }
        // A value with a dash could be taken for another option.
        words += value.hasPrefix("-") ? ["--\(option)=\(shellText(value))"] : ["--\(option)", shellText(value)]
    }

    mutating func add(_ flag: String, if isSet: Bool) { if isSet { words.append("--\(flag)") } }

    /// Settings that are switches have no value.
    mutating func add(_ given: [(setting: Setting, text: String)]) {
        for (setting, text) in given {
            if setting.valueName?.isEmpty ?? true {
                add(setting.optionName, if: text == "true")
            } else {
                add(setting.optionName, text)
            }
        }
    }

    /// - Parameter isRequired: whether the current folder has to be named too.
    mutating func add(output folder: FilePath, isRequired: Bool = false) {
        let folder = folder.orCurrentFolder
        if folder != "." || isRequired { words += ["--output", shellWord(folder.string)] }
    }

    var text: String { words.joined(separator: " ") }
}
