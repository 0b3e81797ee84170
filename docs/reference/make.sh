#!/usr/bin/env bash
# Makes the pages that are made of the program's own words: commands.md of --help, errors.md of the table of errors, and
# parameters.md of the registered effects, transitions and taps. Usage: make.sh SPLITREEL
set -euo pipefail

splitreel=$(realpath "${1:?usage: make.sh SPLITREEL}")
cd "$(dirname "${BASH_SOURCE[0]}")"
export COLUMNS=80
part=page.part
trap 'rm -f "$part"' EXIT

# help [COMMAND]: its help as a block of text.
help() { printf '```text\n%s\n```\n' "$("$splitreel" "$@" --help)"; }

{
    cat <<'WORDS'
# Commands

This page is made from `--help` by `docs/reference/make.sh`. `splitreel help COMMAND` prints the same text.

WORDS
    names=$("$splitreel" --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z-]\+\)  .*/\1/p')
    for name in $names; do printf '[%s](#%s)\n' "$name" "$name"; done
    echo
    help
    for name in $names; do
        printf '\n## %s\n\n' "$name"
        help "$name"
        for below in $("$splitreel" "$name" --help | sed -n '/^SUBCOMMANDS:/,$s/^  \([a-z-]\+\)  .*/\1/p'); do
            printf '\n### %s %s\n\n' "$name" "$below"
            help "$name" "$below"
        done
    done
} >"$part"
mv "$part" commands.md

{
    cat <<'WORDS'
# Errors

This page is made from the program's table by `docs/reference/make.sh`. `splitreel error NUMBER` prints one entry.

Every error prints its number, and so does every warning. A number never changes its meaning.

| numbers | what they are about |
|---|---|
| 10001 to 19999 | the farm's protocol |
| 20001 to 29999 | media files and films |
| 30001 to 39999 | the coordinator's store |
| 40001 to 49999 | jobs and workers |
| 50000 to 59999 | the composition |
| 60001 to 69999 | the command line |

The last line of an entry says the exit status of a command that fails so. It also says what a farm does with an attempt:

| in the farm | what happens |
|---|---|
| transient | the attempt is made again after a growing delay, at most 4 times in all |
| suspectWorker | the attempt is made on another worker; it fails after 3 distinct workers |
| suspectAccess | the attempt is made on another worker, since the worker's mounts, rights or roots are at fault |
| resource | the attempt is made again later without counting: disk or memory was short |
| permanent | the attempt is not made again: the job fails at once |
WORDS
    kind=
    for number in $("$splitreel" error | cut -d' ' -f1); do
        case $number in
        1*) next="The farm's protocol" ;; 2*) next='Media files and films' ;; 3*) next="The coordinator's store" ;;
        4*) next='Jobs and workers' ;; 5*) next='The composition' ;; *) next='The command line' ;;
        esac
        [ "$next" = "$kind" ] || printf '\n## %s\n' "$next"
        kind=$next
        "$splitreel" error "$number" | sed '1{s/^\([0-9]*\): \(.*\)/\n### \1\n\n**\2**\n/}; 2s/$/\n/; $s/.*/*&*/'
    done
} >"$part"
mv "$part" errors.md

"$splitreel" effects --json | perl parameters.pl >"$part"
mv "$part" parameters.md
