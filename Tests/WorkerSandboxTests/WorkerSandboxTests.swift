#if os(Linux)
    import Foundation
    import TestSamples
    import Testing

    /// What a process can still do that has locked itself in.
    @Suite struct WorkerSandboxTests {
        /// What a program that locks itself in prints of each of its attempts, by their names.
        private func attempts() throws -> [String: String] {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "livephoto-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let probe = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("sandbox-probe").path
            for name in ["in", "out"] {
                try Data("what is open".utf8).write(to: folder.appendingPathComponent(name))
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = ["-c", "exec \"$0\" <in 3<>out", probe]
            process.currentDirectoryURL = folder
            let output = Pipe()
            process.standardOutput = output
            var text = ""
            try process.runUntilExit {
                text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            }
            #expect(process.terminationStatus == 0, "\(text)")
            #expect(try String(contentsOf: folder.appendingPathComponent("out"), encoding: .utf8) == "new")
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
            let allowed = [
                "threads and memory", "reading what is open", "writing what is open", "waiting", "chance",
            ]
            for name in allowed { #expect(attempts.removeValue(forKey: name) == "SUCCEEDED", "\(name)") }
            #expect(attempts.count > 50)
            for (name, result) in attempts { #expect(result == "failed", "\(name)") }
        }
    }
#endif
