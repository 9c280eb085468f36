package import Foundation

extension Process {
    /// Runs it, and waits until it ends.
    ///
    /// In place of `waitUntilExit`, which looks only every 50 ms: most programs here are done in less.
    ///
    /// - Parameter meanwhile: done while it runs.
    package func runUntilExit(_ meanwhile: () throws -> Void = {}) throws {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        try run()
        try meanwhile()
        ended.wait()
    }
}
