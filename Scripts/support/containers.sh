# Sourced by trials: runs the image in podman, with storage of its own that is removed at the end.
# shellcheck shell=bash
# shellcheck disable=SC2154 # work comes from the scripts that source this

# Sets `podman`, the command with its options. Usage: start_podman
start_podman() {
    [ "$(id -u)" -eq 0 ] || fail "the trial's own storage for images needs root; run this with sudo."
    require podman
    require runc
    podman=(podman --root "$work/storage" --runroot "$work/run" --runtime runc)
}

# Removes the folder of the trial, and what podman has mounted in it.
end_podman() {
    cd /
    umount --lazy "$work/storage/overlay" 2>/dev/null || true
    rm -rf "$work"
}

# What Kubernetes does with the security context of Scripts/cluster/kubernetes-job.yaml: another user than root, no
# capabilities, a root file system that cannot be written, the default seccomp profile. The limits are those that podman
# can set inside of other containers too.
container_options=(--read-only --read-only-tmpfs=false --cap-drop all --security-opt no-new-privileges --network none
    --ulimit nofile=1024:1024 --ulimit nproc=1000:1000)

# Sets `image` to the name of the image in an archive. Usage: load_image ARCHIVE
load_image() {
    local text
    text=$("${podman[@]}" load --quiet --input "$1") || fail "podman cannot load $1; its messages are above."
    image=${text##*: }
}

# Runs a command of the program in a container. Usage: in_container [OPTION…] -- ARGUMENT…
in_container() {
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    "${podman[@]}" run --rm "${container_options[@]}" "${options[@]}" "$image" "$@"
}
