#if os(Linux)
    import CSandbox
    import Glibc

    /// landlock(7): no file, no folder, no port, no process outside. What is open stays so.
    enum Landlock {
        /// Rights to files, up to and with the interface's version.
        private static let fileRights: [(version: Int, count: Int)] = [(1, 13), (2, 14), (3, 15), (5, 16)]
        /// Rights to the network (bind and connect over TCP), and what is cut off outside (abstract sockets, signals).
        private static let networkVersion = 4
        private static let scopeVersion = 6

        /// Takes all rights away, by handling every one that the kernel knows and giving no rule.
        ///
        /// - Returns: the interface's version; nil where there is none, or the kernel refuses.
        static func enter() -> Int? {
            let version = Int(livephoto_landlock_abi())
            guard version >= 1, let files = fileRights.last(where: { $0.version <= version })?.count else { return nil }
            var ruleset = livephoto_landlock_ruleset(
                handled_access_fs: (1 << UInt64(files)) - 1,
                handled_access_net: version >= networkVersion ? 0b11 : 0,
                scoped: version >= scopeVersion ? 0b11 : 0)
            let descriptor = livephoto_landlock_create(&ruleset)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return livephoto_landlock_restrict(descriptor) == 0 ? version : nil
        }
    }
#endif
