import CLibFuzzer
import Glibc
import SystemPackage

/// Runs libFuzzer on one of the readers, which `FUZZ_TARGET` names: libFuzzer starts itself again for some of its jobs,
/// with its own arguments alone. Scripts/trial fuzz builds this and says how to run it.
///
/// With the argument `--samples FOLDER` it writes files there to begin with, and does nothing else.
@main enum Fuzzing {
    private static let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

    static func main() throws {
        guard let target else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fail("the environment's FUZZ_TARGET names none of these: \(names)")
        }
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--samples" {
            try target.writeSamples(to: arguments[2])
            return
        }
        var (count, values): (Int32, _) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        exit(
            LLVMFuzzerRunDriver(&count, &values) { data, size in
                Fuzzing.target?.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }

    /// Ends the process, which libFuzzer takes for a finding.
    static func fail(_ sentence: String) -> Never {
        _ = try? FileDescriptor.standardError.writeAll("error: \(sentence)\n".utf8)
        abort()
    }

    /// A finding that is no crash of itself.
    static func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { fail(sentence()) }
    }
}
