import ArgumentParser

/// ArgumentParser's completion script for a shell, with what it lacks: values after `--option=`, the files of presets
/// besides their names, commands after `help`, and in fish the files for words with quotation or `--option=`.
struct CompletionScript {
    let text: String

    init(_ shell: CompletionsCommand.Shell) {
        let script = LivephotoCommand.completionScript(for: shell.shell)
        let commands = LivephotoCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            .map { $0._commandName }.joined(separator: " ")
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let complete =
            switch shell {
            case .bash: Self.bash(lines, commands)
            case .zsh: Self.zsh(lines, commands)
            case .fish: Self.fish(lines, commands)
            }
        text = complete.joined(separator: "\n")
    }

    private static func bash(_ lines: [String], _ commands: String) -> [String] {
        var function = ""
        return lines.flatMap { line in
            if line.hasSuffix("() {") { function = line }
            if line.contains(CompletionKind.presetNames) {
                return [line, "        __livephoto_add_completions -o plusdirs -fX '!*.@(yaml|yml|json)'"]
            }
            if function == "_livephoto_help() {", line == "}" {
                return [
                    "    [[ \"${COMP_CWORD}\" -ne 2 ]] || COMPREPLY+=($(compgen -W '\(commands)' -- \"${cur}\"))", line,
                ]
            }
            if function == "_livephoto_batch() {", line.hasPrefix("    __livephoto_offer_flags_options ") {
                return batchReport + [line]
            }
            if line.hasPrefix("    # Offer subcommand / subcommand argument") {
                // Commands without options, unless a dash was typed.
                return ["    [[ \"${cur}\" = -* ]] || COMPREPLY=()", line]
            }
            if line.hasPrefix("    local -r prev=") { return previousWord }
            if line.hasPrefix("    local -a unparsed_words=") { return [line] + unparsedWords }
            return [line]
        }
    }

    /// Otherwise `report` would be the job file.
    private static let batchReport = [
        "    if [[ \"${unparsed_words[0]}\" = report && \"${#unparsed_words[@]}\" -gt 1 ]]; then",
        "        unset 'unparsed_words[0]'", "        unparsed_words=(\"${unparsed_words[@]}\")",
        "        _livephoto_batch_report", "        return", "    fi",
    ]

    /// bash makes three words of `--option=value`.
    private static let previousWord = [
        "    local prev=\"${3}\"", "    [[ \"${prev}\" != = ]] || prev=\"${COMP_WORDS[COMP_CWORD - 2]}\"",
    ]
    private static let unparsedWords = [
        "    local -i equals", "    for equals in \"${!unparsed_words[@]}\"; do",
        "        [[ \"${unparsed_words[equals]}\" != = ]] || unset \"unparsed_words[equals]\"", "    done",
        "    unparsed_words=(\"${unparsed_words[@]}\")",
    ]

    private static func zsh(_ lines: [String], _ commands: String) -> [String] {
        lines.flatMap { line -> [String] in
            // Otherwise `report` would be the job file.
            if line == "_livephoto_batch() {" {
                return [
                    line, "    if [[ \"${words[2]}\" = report ]] && (( CURRENT > 2 )); then",
                    "        shift words", "        (( CURRENT-- ))", "        _livephoto_batch_report",
                    "        return",
                    "    fi",
                ]
            }
            // `--option=` completes values with and without a blank.
            let line =
                line.contains("]:")
                ? line.replacing(/^( *'--[a-z-]+)\[/) { "\($0.1)=[" }.replacing(/(,--[a-z-]+)}'\[/) { "\($0.1)=}'[" }
                : line
            if line.contains(CompletionKind.presetNames) {
                return [line.replacing("}'", with: #";_path_files -g '\''*.(yaml|yml|json)'\'';_path_files -/}'"#)]
            }
            return [line.replacing("'*:subcommands:'", with: "'1:subcommands:(\(commands))'")]
        }
    }

    private static func fish(_ lines: [String], _ commands: String) -> [String] {
        var lines = lines
        if let start = lines.firstIndex(of: "function __livephoto_complete_directories"),
            let end = lines[start...].firstIndex(of: "end")
        {
            lines.replaceSubrange(start...end, with: [fishFiles])
        }
        let helped = """
            complete -c 'livephoto' -n '__livephoto_should_offer_completions_for_positional "livephoto help" -eq 1' \
            -fa '\(commands)'
            """
        let batchOptions = /__livephoto_parse_subcommand 1 (.*'resume' 'restart')/
        return lines.flatMap { line in
            let line = line.replacing("(__livephoto_complete_directories)", with: "(__livephoto_complete_files)")
                .replacing(/\(set -l exts (.+?);for p in .+ \\'\\'\)/) { "(__livephoto_complete_files \($0.1))" }
                .replacing(batchOptions) {
                    // Otherwise `report` would be the job file of `batch`.
                    "__livephoto_parse_subcommand (test \"$unparsed_tokens[2]\" = report; and echo 0; or echo 1) \($0.1)"
                }
            guard line.contains(CompletionKind.presetNames), let values = line.firstRange(of: "fka '(") else {
                return [line]
            }
            return [line, line[..<values.lowerBound] + "fa '(__livephoto_complete_files yaml yml json)'"]
        } + [helped]
    }

    /// Asks fish itself, which reads quotation and `~`, about the files for a command that has no completions.
    private static let fishFiles = #"""
        # Lists folders and the files with these extensions.
        function __livephoto_complete_files
            set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '')
            complete -C "__livephoto_no_command $word" | string match -r -- "^.*(?:$(string join '|' / \\.$argv))\$"
        end
        """#
}
