#!/usr/bin/env bash
# Lists the modules of Package.swift, a line each, by layers: an arrow leads to the modules that it uses and does not
# reach by another one. Usage: docs/module-graph.sh [--write]; --write puts it into internals/architecture.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

draw() {
  awk '
    /^ *\/\/ (L[0-9]|side|tests)/ { layer = $0; sub(/^ *\/\/ /, "", layer); isTests = (layer ~ /^tests/) }
    /^    targets: \[/ { inTargets = 1 }
    !inTargets || isTests { next }
    { text = text " " $0 }
    # A target ends where its call closes.
    {
      line = $0; opens += gsub(/\(/, "", line); line = $0; opens -= gsub(/\)/, "", line)
      if (opens > 0 || text !~ /"/) { if (opens == 0) text = ""; next }
      if (match(text, /(module|systemLibrary|target|executableTarget)\( *(name: )?"[A-Za-z]+"/)) {
        head = substr(text, RSTART, RLENGTH); rest = substr(text, RSTART + RLENGTH)
        gsub(/^.*\(|name: |[" ]/, "", head)
        names[++count] = head; of[head] = layer
        while (match(rest, /"[A-Za-z]+"/)) {
          uses[head, substr(rest, RSTART + 1, RLENGTH - 2)] = 1
          rest = substr(rest, RSTART + RLENGTH)
        }
      }
      text = ""
    }
    function reaches(from, to, i, next_) {
      if ((from, to) in known) return known[from, to]
      known[from, to] = 0
      for (i = 1; i <= count; i++) {
        next_ = names[i]
        if ((from, next_) in uses && (next_ == to || reaches(next_, to))) return known[from, to] = 1
      }
      return 0
    }
    END {
      print "```text"
      last = ""
      for (i = 1; i <= count; i++) {
        if (of[names[i]] ~ /^L0/) continue
        if (of[names[i]] != last) { last = of[names[i]]; print last }
        line = ""
        for (j = 1; j <= count; j++) {
          if (!((names[i], names[j]) in uses)) continue
          isDirect = 1
          for (k = 1; k <= count; k++)
            if (k != j && (names[i], names[k]) in uses && reaches(names[k], names[j])) isDirect = 0
          if (isDirect) line = line (line == "" ? " -> " : ", ") names[j]
        }
        printf "  %s%s\n", (line == "" ? names[i] : sprintf("%-17s", names[i])), line
      }
      print "```"
    }' Package.swift
}

if [ "${1:-}" = --write ]; then
  graph=$(draw)
  graph=$graph awk '
    /^<!-- module graph -->$/ { print; print ENVIRON["graph"]; skip = 1; next }
    /^<!-- end of the module graph -->$/ { skip = 0 }
    !skip' docs/internals/architecture.md > docs/internals/architecture.md.new
  mv docs/internals/architecture.md.new docs/internals/architecture.md
else
  draw
fi
