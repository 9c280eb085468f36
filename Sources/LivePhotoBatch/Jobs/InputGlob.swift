import LivePhotoKit
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A path with wildcards: `*`, `?` and `[…]` as in fnmatch(3), and `**` for any number of folders, or at the end
/// for all files below a folder.
struct InputGlob {
    private let path: FilePath
    private let folder: FilePath

    /// Nil for a path without wildcards, and if a file of exactly this name exists.
    ///
    /// - Parameter folder: the base of relative paths; not a pattern itself.
    init?(_ path: FilePath, below folder: FilePath) {
        guard path.string.contains(where: { "*?[".contains($0) }), (try? folder.pushing(path).stat()) == nil else {
            return nil
        }
        (self.path, self.folder) = (path, folder)
    }

    /// The matching files, sorted by name. Hidden files match only a pattern with a leading dot, and the recipes of edits
    /// none.
    var files: [FilePath] {
        var found: [FilePath] = []
        let start = path.root.map { FilePath(root: $0, []) } ?? folder
        Self.collect(pattern[...], below: start, depth: 0, into: &found)
        // A pattern with `**` may match a file in more than one way.
        return Set(found).sorted { $0.string < $1.string }
    }

    /// The names of the path. Consecutive `**` are collapsed, because they would match each file many times.
    private var pattern: [FilePath.Component] {
        let names = Array(path.components)
        let collapsed = zip(names, names.dropFirst()).filter { !($0 == "**" && $1 == "**") }.map(\.0) + names.suffix(1)
        return collapsed.last == "**" ? collapsed + ["*"] : collapsed
    }

    /// The maximum folder depth. Cycles are impossible, because `**` does not follow symbolic links.
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
            if type == .regular, !AdjustmentData.isName(of: path) { found.append(path) }
        } else if type == .directory {
            collect(rest, below: path, depth: depth + 1, into: &found)
        }
    }
}
