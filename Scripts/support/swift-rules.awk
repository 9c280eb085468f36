# The rules of Scripts/check for Swift files that the compiler and swift-format do not check. Prints `file:line: sentence`
# for each violation in the given files. Needs -v targets=FILE with a line for each target of Package.swift: its folder,
# its name and the modules it may import, separated by spaces.

BEGIN {
    platform = " Foundation FoundationEssentials Dispatch Synchronization Glibc Musl Darwin Testing "
    withoutFoundation = " Bytes ISOBMFF MediaModel QuickTime StillImage Files LivePhotoKit LivePhotoRequests LivePhotoWorker " \
        "LivePhotoBatch LivePhotoPages Digests livephoto "
    # Targets that read files of strangers, and the files in them that may make a String of bytes.
    readers = " Bytes ISOBMFF MediaModel QuickTime StillImage Files LivePhotoKit LivePhotoConversion "
    makesStrings = " Sources/MediaModel/FileText.swift Sources/Files/JSON.swift "
    # The only target that imports a C module.
    importers["CFFmpeg"] = importers["CFFmpegLog"] = "FFmpegKit"
    importers["CHeif"] = "HeifKit"
    importers["CZlib"] = importers["CFileSystem"] = "Bytes"
    importers["CYAML"] = "LivePhotoRequests"
    importers["CNettle"] = "Digests"
    importers["CSandbox"] = "WorkerSandbox"
    importers["CBuild"] = "livephoto"
    while ((getline line < targets) > 0) {
        split(line, words, " ")
        modules = substr(line, length(words[1] words[2]) + 3)
        names[words[1]] = words[2]
        allowed[words[1]] = " " modules " "
    }
}

function contains(list, word) { return index(list, " " word " ") > 0 }

function breach(sentence) { print FILENAME ":" FNR ": " sentence }

# The target a file belongs to, as its folder; empty for Package.swift and for packages within Tests.
function targetFolder(path) {
    while (sub("/[^/]*$", "", path)) if (path in names) return path
    return ""
}

# The line without its comments and without what its literals and quoted names hold. The state that outlives a line:
# `comments`, how deep in /* */; `literal`, the end a multi-line string waits for.
function code(line,    result, end, rest) {
    result = ""
    while (line != "") {
        if (comments > 0) {
            if (!match(line, /\/\*|\*\//)) return result
            comments += substr(line, RSTART, 2) == "/*" ? 1 : -1
            line = substr(line, RSTART + 2)
        } else if (literal != "") {
            end = index(line, literal)
            if (end == 0) return result
            line = substr(line, end + length(literal))
            literal = ""
        } else if (!match(line, /\/\/|\/\*|#*"""|#*"|`/)) {
            return result line
        } else {
            rest = substr(line, RSTART + RLENGTH)
            end = substr(line, RSTART, RLENGTH)
            result = result substr(line, 1, RSTART - 1)
            if (end == "//") return result
            if (end == "/*") {
                comments = 1
                line = rest
            } else if (end ~ /"""$/) {
                literal = mirrored(end)
                line = rest
            } else {
                result = result end
                line = afterLiteral(rest, mirrored(end))
            }
        }
    }
    return result
}

# The end of a literal that begins so: #" ends with "#.
function mirrored(start,    hashes) {
    hashes = start
    gsub(/[^#]/, "", hashes)
    return substr(start, length(hashes) + 1) hashes
}

# What follows a literal that ends on its line; backslashes hide quotes, save in raw strings.
function afterLiteral(line, end,    i) {
    for (i = 1; i <= length(line); i++) {
        if (end == "\"" && substr(line, i, 1) == "\\") i++
        else if (substr(line, i, length(end)) == end) return substr(line, i + length(end))
    }
    return ""
}

function importedModule(line) {
    if (line !~ /^ *((@[A-Za-z_]+(\([^)]*\))?|public|package|internal|fileprivate|private) +)*import +[A-Za-z_]/) return ""
    sub(/^.*import +((typealias|struct|class|enum|protocol|let|var|func) +)?/, "", line)
    sub(/[^A-Za-z0-9_].*$/, "", line)
    return line
}

function checkImport(line, module) {
    if (line ~ /@testable/) breach("@testable import: what tests need is `package`.")
    if (folder == "") return
    if (module in importers && names[folder] != importers[module])
        breach(names[folder] " imports " module ": only " importers[module] " does.")
    else if (module == "Foundation" && contains(withoutFoundation, names[folder]) && essentials != "absent")
        breach(names[folder] " imports Foundation: it builds without; FoundationEssentials may serve.")
    else if (!contains(platform, module) && !contains(allowed[folder], module))
        breach(names[folder] " imports " module ", which Package.swift does not list among its dependencies.")
}

# Swift compares and searches a String slowly where a stranger chose it; `before` is the code of the line before.
function checkText(line, before,    label) {
    if (!contains(readers, names[folder]) || contains(makesStrings, file)) return
    label = "(decoding|validating|cString|validatingCString|platformString|bytes):"
    if (line ~ "(^|[^A-Za-z0-9_])String[(] *" label ||
        before ~ /(^|[^A-Za-z0-9_])String[(] *$/ && line ~ "^ *" label)
        breach("a String of bytes: text of files is FileText, which is compared as bytes and shown in part.")
}

FNR == 1 {
    if (file != "") finishFile()
    file = FILENAME
    folder = targetFolder(file)
    shipped = file ~ /^(Sources|Presets)\//
    comments = 0
    literal = ""
    codeBefore = ""
    invariant = 0
    essentials = ""
}

{
    lines = FNR
    line = code($0)
    # Where there is no FoundationEssentials (Darwin), Foundation stands in for it.
    if (line ~ /^ *#if canImport\(FoundationEssentials\)/) essentials = "present"
    else if (line ~ /^ *#else/ && essentials == "present") essentials = "absent"
    else if (line ~ /^ *#endif/) essentials = ""
    module = importedModule(line)
    if (module != "") checkImport(line, module)
    if (folder != "") checkText(line, codeBefore)
    codeBefore = line
    if ($0 ~ /TODO|FIXME/) breach("TODO and FIXME: what is missing is done or is an issue, not a comment.")
    if ($0 ~ /^ *\/\/.*Invariant[^:]*:/) invariant = 1
    if (shipped && line ~ /(^|[^A-Za-z0-9_.])fatalError *\(/) breach("fatalError: throw an error.")
    if (shipped && line ~ /nonisolated\(unsafe\)/) breach("nonisolated(unsafe): use a lock or an owner.")
    if (shipped && line ~ /@unchecked/ && !invariant)
        breach("@unchecked without a comment above it that says `Invariant: …`.")
    # A declaration's comment reaches to its brace.
    if ($0 ~ /^ *$/ || line ~ /[{}] *$/) invariant = 0
}

END { if (file != "") finishFile() }

function finishFile() {
    if (lines > 400) print file ":401: " lines " lines; a file has at most 400."
    else if (lines > 250) print "note: " file ":251: " lines " lines; most files have at most 250."
}
