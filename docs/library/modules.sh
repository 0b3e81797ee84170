# What the compiler needs to load the modules of a build that is in $build, below $root: `toolchain` is the folder of its
# programs, `maps` names the modules of C that the library's own import, `headers` tells where these find the headers of
# Debian's packages. For make.sh and modes.sh.
toolchain=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")
maps=()
for map in "$root"/Sources/*/module.modulemap "$build"/*.build/module.modulemap \
    "$root"/.build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap; do
    [ ! -e "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map")
done
read -ra headers < <(pkg-config --cflags-only-I pangoft2 libass 2>/dev/null) || true
