import LivePhotoKit

/// Work that goes on while no page is open, as pages show it.
struct StudioJob: Encodable, Sendable {
    enum Kind: String, Encodable, Sendable {
        case make, edit, batch, link
    }

    enum State: String, Encodable, Sendable {
        case waiting, running, done, failed, cancelled
    }

    /// One of the things that are made.
    struct Part: Encodable, Sendable {
        let name: String
        /// The number of the clip or Live Photo that it is made of; nil for a folder.
        var item: Int?
        var state = State.waiting
        /// From 0 to 1.
        var fraction = 0.0
        /// The number of the result.
        var result: Int?
        /// One sentence.
        var error: String?
        var code: String?
    }

    let id: Int
    let kind: Kind
    let title: String
    var state = State.waiting
    var parts: [Part]
    /// Each one sentence.
    var notes: [String] = []
    var hasReport = false
    var canUndo = false

    /// Ends the job, and the parts that have not ended.
    mutating func end(_ new: State) {
        state = new
        for index in parts.indices where [.waiting, .running].contains(parts[index].state) { parts[index].state = new }
    }
}
