import ArgumentParser

/// Where a server of this program listens.
struct PortOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Port to listen at. (default: one that is free)", valueName: "number"))
    var port: Int?

    /// 0 for one that is free.
    var number: Int { port ?? 0 }

    func validate() throws {
        if let port, !(1...65_535).contains(port) {
            throw ValidationError("--port: write a number from 1 to 65535")
        }
    }
}
