import ArgumentParser

struct CompletionsCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a script that completes commands, options, values and files in a shell.",
        discussion: """
            Save the script where the shell looks for it, and open a new shell:

            bash: ~/.local/share/bash-completion/completions/livephoto (needs the package bash-completion)

            fish: ~/.config/fish/completions/livephoto.fish

            zsh: a file _livephoto in a folder of $fpath
            """,
        shouldDisplay: false)

    static let examples = [
        "livephoto completions bash > livephoto.bash", "livephoto completions zsh > _livephoto",
    ]

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish

        var shell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run() throws {
        try Terminal.print(CompletionScript(shell).text)
    }
}
