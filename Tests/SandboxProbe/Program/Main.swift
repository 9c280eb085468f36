import SandboxAttempts
import WorkerSandbox

#if canImport(Glibc)
    import Glibc
#endif

/// Enters the sandbox and tries what it forbids. Standard input is a file to read, descriptor 3 one to write.
///
/// Or, as `sandbox-probe without landlock|seccomp PROGRAM ARGUMENT…`, runs a program on a kernel that seems to lack one.
@main
struct Main {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count > 3, arguments[1] == "without" {
            let strings = arguments[3...].map { strdup($0) } + [nil]
            run_without(arguments[2] == "landlock" ? 1 : 0, arguments[2] == "seccomp" ? 1 : 0, strings)
            exit(125)
        }
        prepare()
        let entered = WorkerSandbox.enter(threads: 100)
        print("Landlock: \(entered.landlock.map(String.init) ?? "none")")
        print("seccomp: \(entered.seccomp)")
        print("limited threads: \(entered.limitsThreads)")
        fflush(nil)
        try_forbidden()
        try_allowed()
        try_many_threads()
    }
}
