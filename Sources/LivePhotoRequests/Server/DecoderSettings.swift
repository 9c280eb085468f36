/// How the server's decoders work, as the command line says.
package struct DecoderSettings: Codable, Sendable {
    package var sandbox = SandboxMode.auto
    /// Nil for the usual limit.
    package var timeout: TimeLimit?
    /// Nil for the usual limit.
    package var memoryLimit: MemoryLimit?
    /// Whether the messages of their libraries are logged.
    package var isVerbose = false

    package init() {}
}
