import SandboxAttempts
import WorkerSandbox

#if canImport(Glibc)
    import Glibc
#endif

/// Enters the sandbox and tries what it forbids. Standard input is a file to read, descriptor 3 one to write.
@main
struct Main {
    static func main() {
        let entered = WorkerSandbox.enter()
        print("Landlock: \(entered.landlock.map(String.init) ?? "none")")
        print("seccomp: \(entered.seccomp)")
        fflush(nil)
        try_forbidden()
        try_allowed()
    }
}
