# Sourced by Scripts/trials/fuzz: building, running and measuring.
# shellcheck shell=bash

# shellcheck disable=SC2154 # set by shared.sh
work=$root/.build/fuzzing

# A run of 10 s counts as a hang. The limit applies to single allocations, without the overhead of AddressSanitizer. Inputs
# grow slowly, which libFuzzer leaves out for targets that change inputs in their own way.
# shellcheck disable=SC2034 # used by the script that sources this
limits=(-malloc_limit_mb=64 -rss_limit_mb=768 -timeout=10 -max_len=262144 -len_control=100)

# Sets `program`; the folder is then one without files, because some readers search the folder that they are in.
build_fuzzing() {
    find_swift
    mkdir -p "$work"/{corpus,findings,totals,state,empty}
    # Without a main function; `swiftc -sanitize=fuzzer` would link the one with it.
    local folder
    folder=$(dirname "$(readlink -f "$(command -v swift)")")
    library=$(find "$folder/../lib" -name "libclang_rt.fuzzer_no_main*$(uname -m)*.a" -print -quit)
    [ -n "$library" ] || fail "this Swift comes without libFuzzer; that from https://www.swift.org/install has it."
    say "Building…"
    # Optimized, with the run-time checks of release builds. The manifest has our own code instrumented.
    build_program build 1 --sanitize address
    export XDG_STATE_HOME=$work/state SWIFT_BACKTRACE=enable=no
    # Symbolizing a crash can hang. Leak detection would make each exit take seconds.
    export ASAN_OPTIONS=symbolize=0:detect_leaks=0:quarantine_size_mb=8
    cd "$work/empty" || fail "the folder $work/empty cannot be used"
}

# Usage: build_program FOLDER VALUE-OF-FUZZING OPTION…
build_program() {
    local name=$1 kind=$2 build
    shift 2
    build=(swift build --package-path "$root" --scratch-path "$work/$name" -c release --product Fuzzing "$@"
        -Xlinker "$library" -Xlinker -lstdc++)
    FUZZING=$kind visibly "$work/$name.log" "${build[@]}" ||
        fail "the build failed; the compiler's messages are above."
    program=$(FUZZING=$kind "${build[@]}" --show-bin-path)/Fuzzing
}

# Sets `targets` to those that are given, or to all.
choose_targets() {
    local all target
    mapfile -t all < <("$program" --list)
    for target in "$@"; do
        printf '%s\n' "${all[@]}" | grep -qxF -- "$target" ||
            misuse "there is no target $target; the targets are: ${all[*]}"
    done
    [ $# -gt 0 ] || targets=("${all[@]}")
}

# A number that is kept of a target, 0 at first: runs, seconds, edges or findings.
total() {
    [ -f "$work/totals/$1" ] || echo >"$work/totals/$1"
    awk -v name="$2" '$1 == name { found = $2 } END { print found + 0 }' "$work/totals/$1"
}

# Writes what a target begins with: samples, faults of the past, seeds and a dictionary.
prepare() {
    local target=$1 file number=0 samples=$work/samples/$1
    rm -rf "$samples" "$samples.dict"
    mkdir -p "$samples" "$work/corpus/$target" "$work/findings/$target"
    FUZZ_TARGET=$target "$program" --samples "$samples"
    FUZZ_TARGET=$target "$program" --dictionary "$work/samples/$target.dict"
    [ -n "${seeds:-}" ] || return 0
    while IFS= read -r -d '' file; do
        number=$((number + 1))
        cp "$file" "$samples/seed$number"
    done < <(find "$seeds" -type f -size -257k -print0)
}

# Runs a target for some seconds, again after each finding, and adds to its totals.
fuzz() {
    local target=$1 end=$((SECONDS + $2)) start=$SECONDS log=$work/$1.log findings=$work/findings/$1
    local left before found attempt units=0 edges=0 words=()
    # An empty dictionary is an error for libFuzzer.
    [ ! -s "$work/samples/$target.dict" ] || words=(-dict="$work/samples/$target.dict")
    before=$(find "$findings" -type f | wc -l)
    for attempt in {1..10}; do
        left=$((end - SECONDS))
        [ "$left" -gt 0 ] || break
        found=$(find "$findings" -type f | wc -l)
        FUZZ_TARGET=$target "$program" "${limits[@]}" -max_total_time="$left" -print_final_stats=1 \
            -artifact_prefix="$findings/" "${words[@]}" "$work/corpus/$target" "$work/samples/$target" >"$log" 2>&1 </dev/null || true
        units=$((units + $(awk '$1 == "stat::number_of_executed_units:" { n = $2 } END { print n + 0 }' "$log")))
        edges=$(awk '{ for (i = 1; i < NF; i++) if ($i == "cov:") n = $(i + 1) } END { print n + 0 }' "$log")
        [ "$(find "$findings" -type f | wc -l)" -gt "$found" ] || break
        say "$target: finding $attempt:"
        cp "$log" "$work/$target.finding.log"
        grep -E '^(error|SUMMARY|==.*ERROR|.*Fatal error|artifact_prefix)' "$log" >&2 || tail -n 5 "$log" >&2
    done
    [ "$units" -gt 0 ] || say "$target: no run was counted; $log says why"
    found=$(($(find "$findings" -type f | wc -l) - before))
    {
        echo "runs $(($(total "$target" runs) + units))"
        echo "seconds $(($(total "$target" seconds) + SECONDS - start))"
        echo "edges $edges"
        echo "findings $(($(total "$target" findings) + found))"
    } >"$work/totals/$target.new"
    mv "$work/totals/$target.new" "$work/totals/$target"
    print_totals "$target" "$found"
}

# Usage: print_totals TARGET [FINDINGS]
print_totals() {
    local runs seconds
    runs=$(total "$1" runs) seconds=$(total "$1" seconds)
    printf '%-16s %12s runs %7s a second %7s edges %6s files %4s findings\n' "$1" "$runs" \
        $((runs / (seconds > 0 ? seconds : 1))) "$(total "$1" edges)" \
        "$(find "$work/corpus/$1" -type f 2>/dev/null | wc -l)" "${2:-$(total "$1" findings)}"
}

# Replaces the corpus of a target by fewer and smaller files with the same coverage.
minimize() {
    local corpus=$work/corpus/$1
    [ -d "$corpus" ] || return 0
    rm -rf "$corpus.new"
    mkdir "$corpus.new"
    FUZZ_TARGET=$1 "$program" "${limits[@]}" -merge=1 "$corpus.new" "$corpus" >"$work/$1.log" 2>&1 ||
        fail "the corpus of $1 cannot be merged; the log is $work/$1.log"
    rm -rf "$corpus"
    mv "$corpus.new" "$corpus"
    print_totals "$1"
}

# Prints for each target how many lines of its reader's files the corpus runs. Needs a build of its own.
measure_coverage() {
    local target source files folder
    folder=$(dirname "$(readlink -f "$(command -v swift)")")
    for source in llvm-profdata llvm-cov; do
        [ -x "$folder/$source" ] ||
            fail "this Swift comes without $source; that from https://www.swift.org/install has it."
    done
    build_program coverage coverage -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
    mkdir -p "$work/profiles"
    for target in "${targets[@]}"; do
        prepare "$target"
        files=()
        while IFS= read -r source; do
            mapfile -t -O ${#files[@]} files < <(find "$root/Sources" -path "$root/Sources/$source*" -name '*.swift')
        done < <(FUZZ_TARGET=$target "$program" --sources)
        [ ${#files[@]} -gt 0 ] || fail "$target: --sources names no file in Sources"
        for source in samples corpus; do
            LLVM_PROFILE_FILE=$work/profiles/$source.profraw FUZZ_TARGET=$target \
                "$program" --run "$work/$source/$target" >/dev/null
        done
        "$folder/llvm-profdata" merge -sparse "$work"/profiles/*.profraw -o "$work/profiles/$target.profdata"
        "$folder/llvm-cov" report "$program" -instr-profile="$work/profiles/$target.profdata" "${files[@]}" \
            >"$work/profiles/$target.txt"
        awk -v target="$target" '$1 == "TOTAL" {
            printf "%-16s %6d of %6d lines, %s\n", target, $8 - $9, $8, $10
        }' "$work/profiles/$target.txt"
    done
}
