/// The keys and indexes that lead from the root of a document to a value.
///
/// Each path refers to that of its parent. If it copied the parent's keys, a long key would be stored once for every
/// value below it.
indirect enum YAMLPath: Sendable {
    case root
    case key(String, of: YAMLPath)
    case index(Int, of: YAMLPath)

    /// `jobs[2].video.crf`; empty for the root.
    var text: String {
        switch self {
        case .root: ""
        case .key(let key, of: .root): key
        case .key(let key, of: let parent): "\(parent.text).\(key)"
        case .index(let index, of: let parent): "\(parent.text)[\(index)]"
        }
    }
}
