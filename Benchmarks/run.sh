#!/usr/bin/env bash
# Builds the benchmarks and runs one on the built binary. Usage: run.sh overhead|outputs [--runs N] | soak [--seconds N]
set -euo pipefail
# What an earlier run made would be no measure of this one.
export SPLITREEL_NO_CACHE=true
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift build -c release --package-path Benchmarks >&2
exec "$(swift build -c release --package-path Benchmarks --show-bin-path)/Bench" "$@"
