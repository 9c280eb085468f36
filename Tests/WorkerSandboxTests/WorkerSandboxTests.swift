#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// What a process can still do that has locked itself in.
    @Suite struct WorkerSandboxTests {
        /// What a program that locks itself in prints of each of its attempts, by their names.
        private func attempts() throws -> [String: String] {
            let folder = try TemporaryFolder(["in": "what is open", "out": "what is open"])
            let text = try Program.run(
                ["bash", "-c", "exec \"$0\" <in 3<>out", Program.built("sandbox-probe").path], in: folder.url)
            #expect(try folder.text("out") == "new")
            let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
                let parts = line.components(separatedBy: ": ")
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
            return Dictionary(pairs) { first, _ in first }
        }

        @Test func `a process in the sandbox can open, connect, start and signal nothing, and compute all it wants`()
            throws
        {
            var attempts = try attempts()
            #expect(attempts.removeValue(forKey: "seccomp") == "true")
            // Not every kernel has it.
            attempts["Landlock"] = nil
            // Not in every container.
            if attempts.removeValue(forKey: "limited threads") == "false" { attempts["threads without end"] = nil }
            let allowed = [
                "threads and memory", "lowering the limit of memory", "reading a limit", "reading what is open",
                "writing what is open", "waiting", "chance",
            ]
            for name in allowed { #expect(attempts.removeValue(forKey: name) == "SUCCEEDED", "\(name)") }
            #expect(attempts.count > 70)
            for (name, result) in attempts { #expect(result == "failed", "\(name)") }
        }
    }
#endif
