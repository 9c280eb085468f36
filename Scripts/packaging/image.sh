# Sourced by Scripts/package: makes an OCI image of the Debian package and a Debian that has only what it needs.
# shellcheck shell=bash
# shellcheck disable=SC2154 # root, work, output and SOURCE_DATE_EPOCH come from the scripts that source this

# The user of the container, as a number: Kubernetes checks only numbers (runAsNonRoot).
image_user=1000

# What no program in a container reads. Copyrights stay: licences ask for them.
image_excludes=(/usr/share/{doc,info,locale,man,lintian,bug}/'*')
# Intel's encoders in hardware: FFmpeg would load them only if asked for.
image_excludes+=('/usr/lib/*/libmfxhw64.so*' '/usr/lib/*/libmfx-tracer.so*' '/usr/lib/*/mfx/*')
# Symbols of libraries, which only builds of packages read.
image_excludes+=('/var/lib/dpkg/info/*.symbols')

# Prints the sources of this system's packages that are Debian's own, as lines of sources.list.
debian_sources() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $4 == "main" && !seen[$0]++ { print "deb", $2, $3, $4 }'
}

# Prints the architecture by the name that OCI uses.
image_architecture() {
    local name
    name=$(dpkg --print-architecture)
    case $name in
        amd64 | arm64) printf '%s\n' "$name" ;;
        *) fail "images are made for amd64 and arm64, not for $name; make a Debian package here." ;;
    esac
}

# Newer versions of libheif load their encoder for HEIC photos as a plug-in too.
photo_plugins() {
    decoder_packages | tr -d ' ' | tr , '\n' | grep . || true
    if apt-cache show libheif-plugin-x265 2>/dev/null | grep -q '^Package:'; then echo libheif-plugin-x265; fi
}

# Finishes the system in a folder: user and folders of the container, nothing that changes a user's rights.
# mmdebstrap runs it as a hook, so it uses only its argument.
finish_system() {
    local system=$1 user=$2
    # There is no apt inside, and its sources name a folder of this machine.
    rm -f "$system"/etc/apt/sources.list "$system"/etc/apt/sources.list.d/*
    rm -rf "$system"/var/cache/{debconf,ldconfig,fontconfig}/* "$system"/var/log/*
    rm -f "$system"/etc/{resolv.conf,hostname} "$system"/etc/{passwd,group,shadow,gshadow,subuid,subgid}-
    echo "livephoto:x:$user:$user::/tmp:/usr/sbin/nologin" >>"$system/etc/passwd"
    echo "livephoto:x:$user:" >>"$system/etc/group"
    mkdir -p "$system/in" "$system/out"
    chown "$user:$user" "$system/out"
    find "$system" -xdev -type f -perm /6000 -exec chmod ug-s {} +
}

# Usage: make_system PACKAGE FILE: writes a tar archive of a Debian with the package.
make_system() {
    local options=() path names=(livephoto usr-is-merged) sources hook=/usr/share/mmdebstrap/hooks/merged-usr
    mkdir -p "$work/repository"
    cp "$1" "$work/repository/"
    (cd "$work/repository" && dpkg-scanpackages --multiversion . >Packages 2>"$work/scan.log") ||
        fail "dpkg-scanpackages failed: $(cat "$work/scan.log")"
    sources=$(debian_sources)
    [ -n "$sources" ] ||
        fail "apt knows no sources of Debian's packages; add them to sources.list, and run apt-get update."
    printf '%s\n' "$sources" "deb [trusted=yes] copy:$work/repository ./" >"$work/sources.list"
    for path in "${image_excludes[@]}"; do options+=(--dpkgopt="path-exclude=$path"); done
    options+=(--dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-include=/usr/share/doc/livephoto/*'
        --dpkgopt=force-unsafe-io)
    # Keeps out usrmerge, which on Debian 12 needs all of Perl.
    [ ! -d "$hook" ] || options+=(--hook-dir="$hook")
    mapfile -t -O "${#names[@]}" names < <(photo_plugins)
    { declare -f finish_system && echo 'finish_system "$@"'; } >"$work/finish.sh"
    visibly "$work/image.log" mmdebstrap --variant=essential --format=tar --skip=output/dev \
        --include="$(IFS=, && echo "${names[*]}")" --architectures="$(dpkg --print-architecture)" "${options[@]}" \
        --customize-hook="bash -euo pipefail '$work/finish.sh' \"\$1\" $image_user" \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$2" "$work/sources.list" ||
        fail "mmdebstrap failed; its messages are above."
}

# A tag may not have all letters of a version.
image_tag() { printf '%s\n' "${1//[^A-Za-z0-9._-]/-}"; }

digest_of() { sha256sum "$1" | cut -d ' ' -f 1; }

# Moves a file to the blobs of an image and prints its descriptor. Usage: add_blob FOLDER FILE TYPE
add_blob() {
    local digest size
    digest=$(digest_of "$2")
    size=$(stat -c %s "$2")
    mv "$2" "$1/blobs/sha256/$digest"
    jq -cn --arg type "$3" --arg digest "sha256:$digest" --argjson size "$size" \
        '{mediaType: $type, digest: $digest, size: $size}'
}

# Prints the configuration of the image. Usage: image_configuration VERSION DIGEST-OF-THE-LAYER
image_configuration() {
    jq -cn --arg version "$1" --arg layer "sha256:$2" --arg user "$image_user:$image_user" \
        --arg architecture "$(image_architecture)" --arg date "$(date --utc --date="@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        --arg commit "$(repository_log %H || true)" '{
        created: $date, architecture: $architecture, os: "linux",
        config: {
            User: $user, WorkingDir: "/in", Entrypoint: ["livephoto"], Cmd: ["--help"],
            Env: ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"],
            Labels: {
                "org.opencontainers.image.title": "livephoto",
                "org.opencontainers.image.description": "Turn video clips into Apple Live Photos",
                "org.opencontainers.image.version": $version,
                "org.opencontainers.image.revision": $commit,
                "org.opencontainers.image.licenses": "GPL-3.0-or-later"
            }
        },
        rootfs: {type: "layers", diff_ids: [$layer]},
        history: [{created: $date, created_by: "Scripts/package image"}]
    }'
}

# Usage: write_archive TAR-OF-THE-SYSTEM VERSION FILE: writes an OCI archive with one layer.
write_archive() {
    local folder=$work/oci prefix=application/vnd.oci.image layer configuration manifest diff_id
    mkdir -p "$folder/blobs/sha256"
    diff_id=$(digest_of "$1")
    gzip --no-name --stdout "$1" >"$work/layer"
    layer=$(add_blob "$folder" "$work/layer" "$prefix.layer.v1.tar+gzip")
    image_configuration "$2" "$diff_id" >"$work/configuration"
    configuration=$(add_blob "$folder" "$work/configuration" "$prefix.config.v1+json")
    jq -cn --arg type "$prefix.manifest.v1+json" --argjson config "$configuration" --argjson layer "$layer" \
        '{schemaVersion: 2, mediaType: $type, config: $config, layers: [$layer]}' >"$work/manifest"
    manifest=$(add_blob "$folder" "$work/manifest" "$prefix.manifest.v1+json")
    jq -cn --arg type "$prefix.index.v1+json" --argjson manifest "$manifest" \
        --arg name "localhost/livephoto:$(image_tag "$2")" '{
        schemaVersion: 2, mediaType: $type,
        manifests: [$manifest + {annotations: {
            "org.opencontainers.image.ref.name": $name, "io.containerd.image.name": $name
        }}]
    }' >"$folder/index.json"
    printf '{"imageLayoutVersion":"1.0.0"}' >"$folder/oci-layout"
    tar --directory "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --mode=u=rwX,go=rX --format=gnu --create --file "$3" oci-layout index.json blobs
    say "The image has the digest $(jq -r .digest <<<"$manifest")."
}

make_image() {
    local package version file
    require mmdebstrap
    output=$work/package make_deb >"$work/package-path"
    package=$(<"$work/package-path")
    version=$(source_version)
    file=$output/livephoto-$version-linux-$(uname -m).oci.tar
    say "Installing a Debian for the image (some minutes)…"
    make_system "$package" "$work/system.tar"
    write_archive "$work/system.tar" "$version" "$work/image.oci.tar"
    mkdir -p "$output"
    mv "$work/image.oci.tar" "$file"
    tar --extract --to-stdout --file "$work/system.tar" ./var/lib/dpkg/status >"$work/status"
    { list_static_parts && list_debian_packages <"$work/status"; } | write_sbom "$file" "$version" >/dev/null
    printf '%s\n' "$file"
}
