/// By what of the system a process is kept from anything but computing.
public struct SandboxReport: Sendable, Hashable, Codable {
    /// The version of the kernel's interface for Landlock, which takes files and network away; nil where there is none.
    public let landlock: Int?
    /// Whether seccomp filters its system calls.
    public let seccomp: Bool

    package init(landlock: Int?, seccomp: Bool) {
        (self.landlock, self.seccomp) = (landlock, seccomp)
    }

    /// Whether nothing is lacking.
    public var isWhole: Bool { landlock != nil && seccomp }
}

extension SandboxReport: CustomStringConvertible {
    /// `Landlock 4, seccomp`
    public var description: String {
        "\(landlock.map { "Landlock \($0)" } ?? "no Landlock"), \(seccomp ? "seccomp" : "no seccomp")"
    }
}
