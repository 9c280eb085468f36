# Sourced by Scripts/package: brings the files of an installation together.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root and binaries come from the scripts that source this

strip_program() {
    strip --strip-all --remove-section=.comment --remove-section=.note -o "$2" "$1"
    chmod 755 "$2"
}

# All files below a folder, in an order that does not depend on the file system or the language.
list_files() { (cd "$1" && find . -type f -printf '%P\n' | LC_ALL=C sort); }

stage_manual() {
    local folder=$1/share/man/man1
    mkdir -p "$folder"
    "$binaries/livephoto" manual "$folder" >/dev/null
    gzip --best --no-name "$folder"/*.1
}

stage_completions() {
    local share=$1/share zsh=$2
    mkdir -p "$share/bash-completion/completions" "$share/zsh/$zsh" "$share/fish/vendor_completions.d"
    # Without the line for running it as a program: shells read it.
    "$binaries/livephoto" completions bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/livephoto"
    "$binaries/livephoto" completions zsh >"$share/zsh/$zsh/_livephoto"
    "$binaries/livephoto" completions fish >"$share/fish/vendor_completions.d/livephoto.fish"
}

stage_documentation() {
    local folder=$1/share/doc/livephoto
    mkdir -p "$folder/examples/presets" "$folder/examples/cluster"
    cp "$root"/Documentation/*.md "$root"/Documentation/*.json "$folder/"
    cp "$root"/Presets/*.yaml "$folder/examples/presets/"
    cp "$root"/Scripts/cluster/{README.md,*.sh,*.yaml,*.json} "$folder/examples/cluster/"
    gzip --best --no-name --stdout "$root/CHANGELOG.md" >"$folder/changelog.gz"
    # The links between the documents: those to the sources become plain text.
    sed -i -E -e 's|\]\(\.\./Scripts/cluster/|](examples/cluster/|g' \
        -e 's|\[([^]]*)\]\(\.\./[^)]*\)|\1|g' "$folder"/*.md
    sed -i -E 's|\[([^]]*)\]\(\.\./\.\./[^)]*\)|\1|g' "$folder/examples/cluster/README.md"
    find "$folder" -type f -exec chmod 644 {} +
    chmod 755 "$folder"/examples/cluster/*.sh
}

# The units of the inbox, which nothing enables. They name the folder of the installation.
stage_service() {
    local units=$1/lib/systemd/system unit
    mkdir -p "$units"
    install --mode=755 "$root/Scripts/service/livephoto-inbox" "$1/libexec/livephoto/livephoto-inbox"
    for unit in livephoto-inbox@.path livephoto-inbox@.service; do
        sed "s|@prefix@|$2|g" "$root/Scripts/service/$unit" >"$units/$unit"
        chmod 644 "$units/$unit"
    done
}

# Usage: stage_files FOLDER NAME-OF-ZSH'S-FOLDER PREFIX     PREFIX is where the files will be installed
stage_files() {
    mkdir -p "$1/bin" "$1/libexec/livephoto"
    strip_program "$binaries/livephoto" "$1/bin/livephoto"
    strip_program "$binaries/livephoto-media" "$1/libexec/livephoto/livephoto-media"
    strip_program "$binaries/livephoto-server" "$1/libexec/livephoto/livephoto-server"
    stage_manual "$1"
    stage_completions "$1" "$2"
    stage_service "$1" "$3"
    stage_documentation "$1"
    write_copyright "$1/share/doc/livephoto"
}
