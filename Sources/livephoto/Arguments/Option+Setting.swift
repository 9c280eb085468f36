import ArgumentParser
import LivePhotoRequests

extension Option where Value == String? {
    /// An option for a setting. A value may begin with a dash: '-1' is an invalid time, not another option.
    ///
    /// - Parameters:
    ///   - help: one sentence; nil for the setting's.
    ///   - fallback: the default in words; nil for the setting's.
    init(_ setting: Setting, _ help: String? = nil, fallback: String? = nil) {
        self.init(
            name: .customLong(setting.optionName), parsing: .unconditional,
            help: ArgumentHelp(
                "\(help ?? setting.help) \(fallback.map { "(default: \($0))" } ?? setting.fallbackNote)",
                valueName: setting.valueName),
            completion: setting.isPath ? .colorTables : setting.words.isEmpty ? nil : .list(setting.words))
    }
}
