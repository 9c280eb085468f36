import ArgumentParser
import LivePhotoRequests

extension Option where Value == String? {
    /// An option for a setting. A value may begin with a dash: '-1' is an invalid time, not another option.
    init(_ setting: Setting) {
        self.init(
            name: .customLong(setting.optionName), parsing: .unconditional,
            help: ArgumentHelp("\(setting.help) (default: \(setting.fallback))", valueName: setting.valueName),
            completion: setting.isPath ? .colorTables : setting.words.isEmpty ? nil : .list(setting.words))
    }
}
