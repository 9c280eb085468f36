import LivePhotoRequests

extension WorkerCommand {
    /// Throws if a limit of decoders was typed although nothing is decoded.
    ///
    /// - Parameters:
    ///   - arguments: those of the command line, without the user's defaults.
    ///   - path: their command.
    func checkLimits(_ arguments: [String], of path: CommandPath) throws {
        guard let reason = reasonNotToDecode, let command = try CommandDescription.program().command(path.names) else {
            return
        }
        let typed = GivenOption.all(in: arguments, command.arguments, of: path.names).flatMap(\.meanings)
        if let option = typed.first(where: { ["sandbox", "timeout", "memory-limit"].contains($0.longName) }) {
            throw UsageError("--\(option.longName) \(reason)")
        }
    }
}
