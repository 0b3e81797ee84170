#!/usr/bin/env bash
# Links the program once more, from the objects that `make product` compiled, with Swift's runtime in it, and strips it:
# what comes out runs where there is no Swift. Some ten seconds; nothing is compiled. Usage: link.sh SWIFT BUILD OUT
set -euo pipefail

swift=$1 build=$2 out=$3
runtime=$(dirname "$(dirname "$(readlink -f "$(command -v "$swift")")")")/lib/swift_static/linux
[ -d "$runtime" ] || { echo "link.sh: this Swift has no static runtime in $runtime" >&2; exit 1; }

read -r -a libraries <<<"$(pkg-config --libs pangocairo pangoft2 libass sqlite3)"
# Foundation's own parts do not name one another: each stands before those that it uses. SwiftPM calls the program's
# start by the module's name.
"$swift"c -static-stdlib -emit-executable -o "$out.linked" "@$build/splitreel.product/Objects.LinkFileList" \
    -lCoreFoundation -l_CFXMLInterface -l_FoundationICU -l_FoundationCShims -l_FoundationCollections \
    "${libraries[@]}" -Xlinker --gc-sections -Xlinker --defsym=main=splitreel_main \
    2> >(grep -v 'mktemp' >&2)
strip -o "$out" "$out.linked"
rm "$out.linked"
