# Sourced by Scripts/package: makes a Debian package from the staged files.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root, work and output come from the scripts that source this

# The packages of the libraries that the programs are linked with, as dpkg-shlibdeps finds them.
library_packages() {
    local folder=$work/shlibdeps
    mkdir -p "$folder/debian"
    printf 'Source: livephoto\n\nPackage: livephoto\nArchitecture: any\n' >"$folder/debian/control"
    (cd "$folder" && dpkg-shlibdeps -O "$1/usr/bin/livephoto" "$1"/usr/libexec/livephoto/livephoto-{media,server}) |
        sed -n 's/^shlibs:Depends=//p'
}

# Newer versions of libheif load their decoders as plug-ins from packages of their own.
decoder_packages() {
    local name
    for name in libheif-plugin-libde265 libheif-plugin-dav1d; do
        if apt-cache show "$name" 2>/dev/null | grep -q '^Package:'; then printf '%s\n' "$name"; fi
    done | paste -sd, | sed 's/,/, /g'
}

maintainer() {
    local name=${DEBFULLNAME:-} address=${DEBEMAIL:-}
    : "${name:=$(repository_log %an)}" "${address:=$(repository_log %ae)}"
    [[ -n $name && -n $address ]] || fail "set DEBFULLNAME and DEBEMAIL to the maintainer of the package."
    printf '%s <%s>\n' "$name" "$address"
}

# Sorts before the version of an official package of these sources, and before that of the next Debian release.
package_version() {
    local version distribution release
    version=$(source_version) || exit
    # shellcheck source=/dev/null
    distribution=$(. /etc/os-release && echo "$ID")
    # shellcheck source=/dev/null
    release=$(. /etc/os-release && echo "${VERSION_ID:-${VERSION_CODENAME:-}}")
    [ "$distribution" != debian ] || distribution=deb
    printf '%s-1~%s%s\n' "$version" "$distribution" "$release"
}

write_control() {
    local recommended
    recommended=$(decoder_packages)
    cat <<END
Package: livephoto
Version: $2
Architecture: $(dpkg --print-architecture)
Maintainer: $(maintainer)
Installed-Size: $(installed_size "$1")
Depends: $(library_packages "$1")
${recommended:+Recommends: $recommended
}Suggests: jq, rclone
Section: video
Priority: optional
Description: turn video clips into Apple Live Photos
 A Live Photo is a photo and a short movie that are linked by a shared
 identifier. livephoto makes them from any clip that FFmpeg can decode. It also
 links, checks, packs and extracts existing ones, and converts many clips from a
 job file. Clips are decoded in a sandbox.
END
}

# In KiB, each file rounded up and one for each folder, as dpkg-gencontrol counts: independent of the file system.
installed_size() {
    find "$1" -mindepth 1 -path "$1/DEBIAN" -prune -o -printf '%y %s\n' |
        awk '{ total += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print total }'
}

write_debian_changelog() {
    cat <<END
livephoto ($1) unstable; urgency=medium

  * changelog.gz lists the changes.

 -- $(maintainer)  $(LC_ALL=C date --utc --date="@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %T +0000')
END
}

make_deb() {
    local tree=$work/deb version file
    version=$(package_version)
    stage_files "$tree/usr" vendor-completions /usr
    write_debian_changelog "$version" | gzip --best --no-name >"$tree/usr/share/doc/livephoto/changelog.Debian.gz"
    mkdir -p "$tree/DEBIAN"
    write_control "$tree" "$version" >"$work/control"
    grep -q '^Depends: .' "$work/control" || fail "dpkg-shlibdeps found no libraries; its messages are above."
    cp "$work/control" "$tree/DEBIAN/control"
    (cd "$tree" && list_files usr | sed 's|^|usr/|' | xargs -d '\n' md5sum) >"$tree/DEBIAN/md5sums"
    file=$output/livephoto_${version}_$(dpkg --print-architecture).deb
    mkdir -p "$output"
    # More threads would make blocks, and other bytes.
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$tree" "$work/package.deb" >/dev/null
    mv "$work/package.deb" "$file"
    printf '%s\n' "$file"
}
