import LivePhotoKit
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A path with wildcards, which matches files: `*`, `?` and `[…]` within a name as in fnmatch(3),
/// `**` for any folders, and as the last name for any files below.
struct InputGlob {
    private let path: FilePath
    private let folder: FilePath

    /// Nil for a path without wildcards, and for one that is a file's very name.
    ///
    /// - Parameter folder: the base of relative paths. The names in it are not patterns.
    init?(_ path: FilePath, below folder: FilePath) {
        guard path.string.contains(where: { "*?[".contains($0) }), (try? folder.pushing(path).stat()) == nil else {
            return nil
        }
        (self.path, self.folder) = (path, folder)
    }

    /// The files that match, in the order of their names. What is hidden has to be asked for by a dot.
    var files: [FilePath] {
        var found: [FilePath] = []
        let start = path.root.map { FilePath(root: $0, []) } ?? folder
        Self.collect(pattern[...], below: start, depth: 0, into: &found)
        // `**/*` may come to a file in more than one way.
        return Set(found).sorted { $0.string < $1.string }
    }

    /// The names of the path, `**` never twice in a row: there would be as many ways to a file as folders on it.
    private var pattern: [FilePath.Component] {
        let names = Array(path.components)
        let few = zip(names, names.dropFirst()).filter { !($0 == "**" && $1 == "**") }.map(\.0) + names.suffix(1)
        return few.last == "**" ? few + ["*"] : few
    }

    /// Only malicious trees are deeper: `**` follows no links, so there are no circles.
    private static let depthLimit = 128

    private static func collect(
        _ pattern: ArraySlice<FilePath.Component>, below folder: FilePath, depth: Int, into found: inout [FilePath]
    ) {
        guard let first = pattern.first, depth < depthLimit else { return }
        let rest = pattern.dropFirst()
        guard first.string.contains(where: { "*?[".contains($0) }) else {
            return take(folder.appending(first), rest, depth: depth, into: &found)
        }
        if first.string == "**" { collect(rest, below: folder, depth: depth, into: &found) }
        for name in (try? FileSystem.names(in: folder.orCurrentFolder)) ?? [] {
            let path = folder.appending(name)
            if first.string == "**" {
                guard !name.string.hasPrefix("."), (try? path.stat(followTargetSymlink: false).type) == .directory
                else { continue }
                collect(pattern, below: path, depth: depth + 1, into: &found)
            } else if fnmatch(first.string, name.string, FNM_PERIOD) == 0 {
                take(path, rest, depth: depth, into: &found)
            }
        }
    }

    private static func take(
        _ path: FilePath, _ rest: ArraySlice<FilePath.Component>, depth: Int, into found: inout [FilePath]
    ) {
        let type = try? path.stat().type
        if rest.isEmpty {
            if type == .regular { found.append(path) }
        } else if type == .directory {
            collect(rest, below: path, depth: depth + 1, into: &found)
        }
    }
}
