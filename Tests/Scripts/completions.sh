#!/usr/bin/env bash
# Checks in bash, zsh and fish what `livephoto completions` offers: commands, options, values, and files by kind.
#
# Usage: Tests/Scripts/completions.sh [PROGRAM]
#
#   PROGRAM    an existing livephoto (default: LIVEPHOTO, or an optimized build)
set -euo pipefail
# shellcheck source=Scripts/support/shared.sh
source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/../../Scripts/support/shared.sh"

start_test "$@"
PATH=${program%/*}:$PATH
export HOME=$work/home XDG_CONFIG_HOME=$work/home/.config XDG_DATA_HOME=$work/home/.local/share

# A script for each shell, where it looks for it.
mkdir -p "$XDG_DATA_HOME/bash-completion/completions" "$XDG_CONFIG_HOME/fish/completions" "$work/zsh"
livephoto completions bash >"$XDG_DATA_HOME/bash-completion/completions/livephoto"
livephoto completions fish >"$XDG_CONFIG_HOME/fish/completions/livephoto.fish"
livephoto completions zsh >"$work/zsh/_livephoto"

mkdir -p "$XDG_CONFIG_HOME/livephoto/presets" "$work/folder/Live" "$work/folder/old clips"
touch "$HOME/settings.yaml"
printf 'name: mine\nextends: classic\n' >"$XDG_CONFIG_HOME/livephoto/presets/mine.yaml"
cd "$work/folder"
touch beach.mp4 HOLIDAY.MOV 'my clip.mkv' IMG_1.HEIC IMG_1.livp letter.txt jobs.yaml report.jsonl page.html table.csv \
    Live/sea.mp4 Live/notes.txt Live/set.yaml 'old clips/lake.webm' 'old clips/set.yaml'

# The functions below print what a shell offers for the last word of a command line, one a line, without quotation and
# without the option in `--option=value`.

bash_offers() {
    # As readline does: `--option=value` is three words, and an escaped blank belongs to its word.
    local -a words=()
    local line=${1//\\ /$'\1'} word
    [[ $line != *' ' ]] || line+=$'\2'
    for word in $line; do
        word=${word//$'\1'/\\ }
        case $word in
            --*=*) words+=("${word%%=*}" "=" "${word#*=}") ;;
            *) words+=("${word#$'\2'}") ;;
        esac
    done
    # compgen removes backslashes with a function of readline, which `bind` loads.
    # shellcheck disable=SC2016
    bash --norc --noprofile -c '
        bind -l >/dev/null 2>&1
        source /usr/share/bash-completion/bash_completion
        _completion_loader livephoto
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
        COMP_POINT=${#COMP_LINE} COMPREPLY=()
        function=$(complete -p livephoto | sed -E "s/.*-F ([^ ]+).*/\1/")
        "$function" livephoto "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "${words[@]}"
}

fish_offers() {
    local option=''
    [[ ! $1 =~ (--[a-z-]+=)[^=]*$ ]] || option=${BASH_REMATCH[1]}
    fish --no-config -c "set fish_complete_path $XDG_CONFIG_HOME/fish/completions; complete -C (cat)" <<<"$1" |
        cut -f 1 | sed "s/^$option//"
}

# zsh completes only in an interactive shell, which records what is added to its list.
cat >"$work/zsh/record" <<'END'
fpath=($1 $fpath)
autoload -U compinit
compinit -u -d $1/dump
typeset record=$1/offered
compadd() {
    [[ ${@[1,(i)(-|--)]} == *-(O|A|D)* ]] || { local -a hits; builtin compadd -O hits "$@"; print -rl -- $hits >>$record }
    builtin compadd "$@"
}
bindkey '^I' complete-word
comppostfuncs=(finish)
finish() { print -r -- finished >>$record }
print ready
END
cat >"$work/zsh/offers" <<'END'
zmodload zsh/zpty
folder=$1
rm -f $folder/offered
zpty shell "zsh -f -i"
zpty -w shell "PROMPT= RPROMPT=; set -- ${(q)folder}; source ${(q)folder}/record"
zpty -r -m shell output '*ready*'
zpty -w -n shell "$2"$'\t'
repeat 100; do
    [[ -f $folder/offered && "$(<$folder/offered)" == *finished ]] && break
    sleep 0.05
done
grep -v '^finished$' $folder/offered
zpty -d shell
END
zsh_offers() { zsh -f "$work/zsh/offers" "$work/zsh" "$1" | sed 's/\\//g'; }

failures=0
# Usage: check LINE exactly|among|without OFFERS…
check() {
    local line=$1 relation=$2 shell offers wrong
    shift 2
    for shell in bash zsh fish; do
        offers=$("${shell}_offers" "$line" | sed -E 's,/$,,; s,.*/,,' | grep -v '^$' | LC_ALL=C sort -u) || true
        case $relation in
            exactly) wrong=$(diff <(printf '%s\n' "$@" | LC_ALL=C sort -u) <(printf '%s\n' "$offers")) || true ;;
            among) wrong=$(printf '%s\n' "$@" | grep -vxF -- "$offers") || true ;;
            without) wrong=$(printf '%s\n' "$@" | grep -xF -- "$offers") || true ;;
        esac
        if [ -n "$wrong" ]; then
            failures=$((failures + 1))
            say "$shell: '$line' is not completed $relation as expected: $(tr '\n' ' ' <<<"$wrong")"
            say "    offered: $(tr '\n' ' ' <<<"$offers")"
        fi
    done
}

check 'livephoto ' among convert batch inspect verify link unlink edit undo extract pack export presets doctor help
check 'livephoto ' without manual completions
check 'livephoto ver' exactly verify
check 'livephoto help ' among convert presets undo
check 'livephoto help convert ' exactly ''
check 'livephoto presets ' exactly list show check keys
check 'livephoto convert --video-codec ' exactly h264 hevc
check 'livephoto convert --photo-format ' exactly heic jpeg
check 'livephoto convert --hdr ' exactly both keep tone-map
check 'livephoto convert --tone-map ' exactly clip hable mobius reinhard
check 'livephoto convert --tone-map m' exactly mobius
check 'livephoto convert --tone-map=m' exactly mobius
check 'livephoto convert --tone-map=mobius be' exactly beach.mp4
check 'livephoto convert --background ' among black white blue
check 'livephoto convert --sandbox ' exactly auto require off
check 'livephoto convert --preset ' among classic compact modern smooth wallpaper mine jobs.yaml
check 'livephoto convert --preset ' without letter.txt beach.mp4
check 'livephoto presets show m' exactly mine modern
check 'livephoto presets check j' exactly jobs.yaml
check 'livephoto convert ' exactly beach.mp4 HOLIDAY.MOV 'my clip.mkv' Live 'old clips'
check 'livephoto convert be' exactly beach.mp4
check 'livephoto convert Live/' exactly sea.mp4
check 'livephoto convert --dry-run be' exactly beach.mp4
check 'livephoto convert old\ clips/' exactly lake.webm
check 'livephoto convert --photo ' exactly IMG_1.HEIC Live 'old clips'
check 'livephoto convert --photo=' exactly IMG_1.HEIC Live 'old clips'
check 'livephoto convert --photo=IM' exactly IMG_1.HEIC
check 'livephoto convert --preset Live/' exactly set.yaml
check 'livephoto convert --preset=Live/' exactly set.yaml
check 'livephoto convert --preset old\ clips/' exactly set.yaml
check 'livephoto convert --preset ~/s' exactly settings.yaml
check 'livephoto convert --preset=~/se' exactly settings.yaml
check 'livephoto convert beach.mp4 --output ' exactly Live 'old clips'
check 'livephoto convert beach.mp4 -o ' exactly Live 'old clips'
check 'livephoto convert beach.mp4 --output=' exactly Live 'old clips'
check 'livephoto convert beach.mp4 --no' among --no-audio --no-location --no-metadata
check 'livephoto convert --still ' exactly auto
check 'livephoto pack --as ' exactly motion-photo livp pvt pvt.zip dcim
check 'livephoto export --as ' exactly mp4 gif webp avif jpeg frames
check 'livephoto pack IMG_1.HEIC --as m' exactly motion-photo
check 'livephoto verify --profile ' exactly any classic modern wallpaper
check 'livephoto verify ' exactly IMG_1.HEIC beach.mp4 HOLIDAY.MOV Live 'old clips'
check 'livephoto extract ' exactly IMG_1.HEIC IMG_1.livp Live 'old clips'
check 'livephoto batch ' among jobs.yaml report.jsonl Live 'old clips'
check 'livephoto batch --progress ' exactly bar json none
check 'livephoto batch report ' among jobs.yaml report.jsonl Live 'old clips'
check 'livephoto batch report --html ' exactly page.html Live 'old clips'

[ "$failures" -eq 0 ] || fail "completions: $failures completions are wrong."
echo "completions: bash, zsh and fish offer commands, options, values and files by kind."
