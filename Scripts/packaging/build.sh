# Sourced by Scripts/package: builds the programs such that nothing in them depends on the folder or the time.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root comes from Scripts/support/shared.sh

products=(livephoto livephoto-media livephoto-server)
# Apart from the build of Scripts/livephoto, whose flags are others.
scratch=$root/.build/package

repository_log() { repository_git log -1 --format="$1" 2>/dev/null; }

# Sets SOURCE_DATE_EPOCH, which dpkg-deb reads as well.
set_date() {
    if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
        SOURCE_DATE_EPOCH=$(repository_log %ct) || fail "there is no commit to take the date from; set SOURCE_DATE_EPOCH."
    fi
    export SOURCE_DATE_EPOCH
}

build_programs() {
    local flags=(
        --package-path "$root" --scratch-path "$scratch" --configuration release --static-swift-stdlib
        # Debug information contains paths. Other paths (#file, __FILE__) become relative to the repository.
        -debug-info-format none
        -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=."
        # Without a hash of the compiler's arguments, which contain paths, in each object (.swift_modhash).
        -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
        # Programs must find no library in their own folder.
        --disable-local-rpath
        # The linker of the toolchain, so that the one of the system makes no difference.
        -Xswiftc -use-ld=lld
        # Tables of addresses are read-only once the program is loaded.
        -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
    )
    set_commit
    binaries=$(swift build "${flags[@]}" --show-bin-path)
    say "Building for distribution (the first time takes some minutes)…"
    local product
    mkdir -p "$scratch"
    for product in "${products[@]}"; do
        # The map of the linker shows what is inside, for the licences and the sizes.
        visibly "$scratch/build.log" swift build "${flags[@]}" -Xlinker "-Map=$scratch/$product.map" \
            --product "$product" ||
            fail "the build failed; the compiler's messages are above, all of its output is in $scratch/build.log"
        if grep --quiet --text --fixed-strings -e "$root/Sources/" -e "$root/.build/" "$binaries/$product"; then
            say "note: $product contains paths of this machine, so another folder would give other bytes."
        fi
    done
}

program_version() {
    local version
    version=$("$binaries/livephoto" --version) || fail "the program that was built does not start."
    [[ $version =~ [0-9]+\.[0-9]+(\.[0-9]+)* ]] || fail "livephoto --version says nothing of a version: $version"
    printf '%s\n' "${BASH_REMATCH[0]}"
}

# The version, and for a commit without its tag (0.1.0 or v0.1.0) what makes it newer than that version and all commits
# before: the date and the commit.
source_version() {
    local version tags
    version=$(program_version) || exit
    if tags=$(repository_git tag --points-at HEAD 2>/dev/null) &&
        { [[ $LIVEPHOTO_COMMIT == *-modified ]] || ! grep -qxE "v?${version//./\\.}" <<<"$tags"; }; then
        version+=+git$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)
        version+=${LIVEPHOTO_COMMIT:+.${LIVEPHOTO_COMMIT//-/.}}
    fi
    printf '%s\n' "$version"
}
