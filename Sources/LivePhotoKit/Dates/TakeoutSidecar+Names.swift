import SystemPackage

extension TakeoutSidecar {
    /// The sidecar of a photo or video, which is in the same folder.
    ///
    /// - Returns: The sidecar, or why the file that should be it is ignored: one sentence.
    static func find(for file: FilePath) -> (sidecar: TakeoutSidecar?, warning: String?) {
        // Takeout keeps no other names.
        guard let component = file.lastComponent, component.isOrdinaryText else { return (nil, nil) }
        let name = component.string
        let folder = file.removingLastComponent()
        guard SidecarFolders.mayHaveSidecars(folder) else { return (nil, nil) }
        for candidate in SidecarNames(of: name).all {
            let path = folder.appending(candidate.name)
            guard FileSystem.exists(path) else { continue }
            do throws(Unreadable) {
                guard let sidecar = try read(path) else { continue }
                let title = sidecar.title.map { SidecarTitle($0) }
                guard title?.fits(name) ?? !candidate.needsTitle else { continue }
                guard let fault = sidecar.fault else { return (sidecar, nil) }
                guard sidecar.location != nil else { throw fault }
                return (sidecar, "the time in the sidecar \(path) is ignored: \(fault.reason)")
            } catch {
                // Other programs write files of that name too.
                guard candidate.isCertain else { continue }
                return (nil, "the sidecar \(path) is ignored: \(error.reason)")
            }
        }
        return (nil, nil)
    }
}

/// The names that a file's sidecar may have, in the order of preference.
///
/// Takeout appends `.supplemental-metadata` (since 2024) and `.json` to the title of the item, and cuts what is before
/// `.json` to 46 characters. The number of a duplicate, `IMG_1(1).jpg`, comes last: `IMG_1.jpg(1).json`. Edited copies
/// and the movies of Live Photos and motion photos share the sidecar of the original photo.
struct SidecarNames {
    struct Candidate: Hashable {
        let name: String
        /// Whether other programs do not use such a name.
        let isCertain: Bool
        /// Whether the name could as well be that of another file's sidecar.
        var needsTitle = false
    }

    private(set) var all: [Candidate] = []
    private var names: Set<String> = []

    private static let suffix = ".supplemental-metadata"
    /// Characters before `.json`.
    static let limit = 46
    /// Marks of edited photos, in the languages of Google Photos, and of its effects.
    static let editMarks = [
        "-edited", "-effects", "-smile", "-mix", "-bearbeitet", "-bewerkt", "-modifié", "-modificato", "-editado",
        "-ha editado", "-editat", "-edytowane", "-diedit", "-düzenlendi", "-отредактировано", "-編集済み", "-已编辑", "-편집됨",
        "-تم التعديل", "-संपादित", "-đã chỉnh sửa", "-แก้ไขแล้ว",
    ]
    private static let photoExtensions = ["HEIC", "heic", "JPG", "jpg", "JPEG", "jpeg"]
    /// Extensions of the movies in motion photos of Pixel phones: `PXL_1.MP` and `PXL_1.MP~2` belong to `PXL_1.MP.jpg`.
    static let motionExtension = ".MP"

    init(of name: String) {
        let (stem, ending) = Self.split(name)
        let (base, number) = Self.splitNumber(stem)
        let isCut = name.count > Self.limit
        // The number is missing in what is left of a long name.
        if !number.isEmpty, isCut { add(title: base + ending, number: number) }
        add(title: name, number: "")
        if !number.isEmpty, !isCut { add(title: base + ending, number: number) }
        var original = base
        if let mark = Self.editMarks.first(where: { base.lowercased().hasSuffix($0) }) {
            original.removeLast(mark.count)
            add(title: original + ending, number: number)
        }
        let isMotion = ending == Self.motionExtension || ending.hasPrefix("\(Self.motionExtension)~")
        let photoStem = isMotion ? original + Self.motionExtension : original
        for other in Self.photoExtensions where ".\(other)" != ending {
            add(title: "\(photoStem).\(other)", number: number)
        }
        add(stem + ".json", isCertain: false)
        // Takeout numbers the sidecars of different titles that are equal when cut.
        for number in 1...9 where isCut {
            add("\(name.prefix(Self.limit))(\(number)).json", isCertain: false, needsTitle: true)
        }
    }

    private mutating func add(title: String, number: String) {
        let long = title + Self.suffix
        add(String(long.prefix(Self.limit)) + number + ".json")
        add(String(title.prefix(Self.limit)) + number + ".json")
        // Some exports cut elsewhere.
        for count in stride(from: Self.suffix.count, to: 0, by: -1) {
            add(title + Self.suffix.prefix(count) + number + ".json")
        }
    }

    private mutating func add(_ name: String, isCertain: Bool = true, needsTitle: Bool = false) {
        // No file system has longer names.
        guard name.utf8.count <= 255, names.insert(name).inserted else { return }
        all.append(Candidate(name: name, isCertain: isCertain, needsTitle: needsTitle))
    }

    /// `IMG_1.MP4` is `IMG_1` and `.MP4`.
    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// `IMG_1(2)` is `IMG_1` and `(2)`.
    static func splitNumber(_ stem: String) -> (base: String, number: String) {
        guard stem.last == ")", let start = stem.lastIndex(of: "("), start > stem.startIndex,
            case let digits = stem[stem.index(after: start)...].dropLast(), (1...4).contains(digits.count),
            digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return (stem, "") }
        return (String(stem[..<start]), String(stem[start...]))
    }
}
