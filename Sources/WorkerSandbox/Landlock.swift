#if os(Linux)
    import CSandbox
    import Glibc

    /// landlock(7): denies access to all files, TCP ports and other processes, except through open descriptors.
    enum Landlock {
        /// Number of file rights since each version of the interface.
        private static let fileRights: [(version: Int, count: Int)] = [(1, 13), (2, 14), (3, 15), (5, 16)]
        /// First versions with network rights (TCP bind and connect) and with scopes (abstract sockets, signals).
        private static let networkVersion = 4
        private static let scopeVersion = 6

        /// Removes all rights: handles every right that the kernel supports and adds no rule that allows one.
        ///
        /// - Returns: the version of the interface; nil if the kernel lacks it or refuses.
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
