# Sourced by Scripts/package: makes what a release offers besides its files: an apt repository and the checksums.
# shellcheck shell=bash
# shellcheck disable=SC2154 # work, output and SOURCE_DATE_EPOCH come from the scripts that source this

# Prints the codename of the Debian that a package was made on, by its version: ~deb12.
release_of_package() {
    local version
    version=$(dpkg-deb --field "$1" Version)
    case $version in
        *~deb12) echo bookworm ;;
        *~deb13) echo trixie ;;
        *) fail "$1: the version $version names an unknown release of Debian; add it to Scripts/packaging/index.sh" ;;
    esac
}

# Prints the fields of a Release file for the current folder, which has the indexes of one release.
# Usage: write_release CODENAME
write_release() {
    local file architectures
    architectures=$(sed -n 's/^Architecture: //p' main/binary-*/Packages | sort -u | xargs)
    printf 'Origin: livephoto\nLabel: livephoto\nSuite: %s\nCodename: %s\n' "$1" "$1"
    printf 'Date: %s\n' "$(LC_ALL=C date --utc --date="@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %T UTC')"
    printf 'Architectures: %s\nComponents: main\nDescription: livephoto for Debian\nSHA256:\n' "$architectures"
    for file in main/binary-*/Packages*; do
        printf ' %s %s %s\n' "$(sha256sum "$file" | cut -d ' ' -f 1)" "$(stat -c %s "$file")" "$file"
    done
}

# Usage: sign_release KEY
sign_release() {
    gpg --batch --yes --local-user "$1" --digest-algo SHA512 --clearsign --output InRelease Release ||
        fail "gpg cannot sign with the key $1; its messages are above."
}

# Makes dists and pool in a folder from the packages in another. Each release of Debian has its own index: newer releases
# have newer versions of livephoto's package, which need libraries that older ones do not have.
# Usage: make_repository FOLDER KEY PACKAGE…     (without a signature if KEY is empty)
make_repository() {
    local folder=$1 key=$2 package release architecture place
    shift 2
    for package in "$@"; do
        release=$(release_of_package "$package")
        architecture=$(dpkg-deb --field "$package" Architecture)
        place=dists/$release/main/binary-$architecture
        mkdir -p "$folder/$place" "$folder/pool/$release"
        install --mode=644 "$package" "$folder/pool/$release/"
    done
    for place in "$folder"/dists/*/main/binary-*; do
        release=${place#"$folder/dists/"}
        release=${release%%/*}
        (
            cd "$folder" || exit
            dpkg-scanpackages --multiversion --arch "${place##*-}" "pool/$release" \
                >"$place/Packages" 2>"$work/scan.log" ||
                fail "dpkg-scanpackages failed: $(cat "$work/scan.log")"
            gzip --best --no-name --keep "$place/Packages"
        )
    done
    for place in "$folder"/dists/*; do
        (
            cd "$place" || exit
            write_release "${place##*/}" >"$work/Release"
            install --mode=644 "$work/Release" Release
            [ -z "$key" ] || sign_release "$key"
        )
    done
}

# Makes the archive of an apt repository from the packages in the folder, and checksums of all files there.
# Usage: make_index [KEY]
make_index() {
    local packages=("$output"/livephoto_*.deb) archive=livephoto-apt-repository.tar
    [ -f "${packages[0]}" ] ||
        fail "$output has no Debian package; make one first: Scripts/package deb --output $output"
    make_repository "$work/apt" "${1:-}" "${packages[@]}"
    tar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
        --create --file "$work/$archive" apt
    mv "$work/$archive" "$output/"
    (
        cd "$output" || exit
        find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort |
            xargs -d '\n' sha256sum >"$work/sums"
        mv "$work/sums" SHA256SUMS
    )
    printf '%s\n' "$output/$archive" "$output/SHA256SUMS"
}
