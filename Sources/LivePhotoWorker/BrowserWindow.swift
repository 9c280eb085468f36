import Subprocess

/// A window of the person's browser.
package enum BrowserWindow {
    #if canImport(Darwin)
        private static let program = "open"
    #else
        private static let program = "xdg-open"
    #endif

    /// Opens an address in the browser that the desktop is set to.
    ///
    /// - Returns: whether that was possible.
    package static func open(_ address: String) async -> Bool {
        let result = try? await Subprocess.run(
            .name(program), arguments: [address], input: .none, output: .discarded, error: .discarded)
        return result?.terminationStatus.isSuccess == true
    }
}
