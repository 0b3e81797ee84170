#!/usr/bin/env bash
# Installs the manual and the completions of bash, zsh and fish, which the program itself writes.
# Usage: install-pages.sh SPLITREEL PREFIX
set -euo pipefail

splitreel=$(realpath "${1:?usage: install-pages.sh SPLITREEL PREFIX}")
share=${2:?usage: install-pages.sh SPLITREEL PREFIX}/share
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

"$splitreel" manual "$made" >/dev/null
install -d -m 755 "$share/man/man1"
install -m 644 "$made"/*.1 "$share/man/man1"

# completion SHELL PLACE: where the shell looks for it by itself.
completion() {
    "$splitreel" --generate-completion-script "$1" >"$made/$1"
    install -D -m 644 "$made/$1" "$share/$2"
}
completion bash bash-completion/completions/splitreel
completion zsh zsh/site-functions/_splitreel
completion fish fish/vendor_completions.d/splitreel.fish
