#!/usr/bin/env bash
# Builds the benchmarks and runs one on the built binary. Usage: run.sh overhead|outputs [--runs N] | soak [--seconds N]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift build -c release --package-path Benchmarks >&2
exec "$(swift build -c release --package-path Benchmarks --show-bin-path)/Bench" "$@"
