#!/usr/bin/env bash
# Builds what measures conversions of colours, and runs it. Usage: light.sh [FRAMES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/Light"

swift build -c release >&2
exec "$(swift build -c release --show-bin-path)/Light" "$@"
