import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// A coordinator, workers and a person on machines of their own, with keys, with nothing in common but a network of
    /// 20 ms from one to another. The long form is `make two-machines`.
    @Suite(
        .enabled(if: Machines.lack == nil, "machines of a network: root, namespaces, /dev/net/tun, iproute2, perl"),
        .enabled(if: SourceTree.hasCorpus, "the corpus of real films is not beside the project"))
    struct MachinesTests {
        private let folder: TestFolder
        private let program: Splitreel
        private let witness: Witness

        init() throws {
            folder = try TestFolder("machines")
            program = try Splitreel(in: folder)
            witness = Witness(in: folder)
        }

        @Test("a film of many kinds comes from five machines bit by bit as from one")
        func theFilmOfOneMachine() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one", "two", "three"])
            // No machine sees what another has.
            let look = try farm.machines.shell(on: "one", "ls -d /coordinator /person '\(folder.path)'")
            #expect(look.status != 0 && look.text.isEmpty, "\(look)")
            let media = farm.machines.seen("media", on: MachineFarm.coordinator)
            try MachineFilm.writeMedia(to: media)
            let path = farm.machines.seen("cut.json", on: MachineFarm.person)
            try Data(MachineFilm.composition(media: "/coordinator/media").utf8).write(to: URL(fileURLWithPath: path))
            let job = try farm.submit("/person/cut.json", to: "/coordinator/out/film.mkv", MachineFilm.options)
            let report = try farm.end(of: job)
            #expect(MachineFarm.chunks(report).allSatisfy { $0.attempt == 1 }, "\(report)")

            let cut = try folder.write(MachineFilm.composition(media: media), to: "cut.json")
            try program.render(cut, to: folder.file("alone.mkv"), MachineFilm.options + ["--workers", "1"])
            let film = farm.machines.seen("out/film.mkv", on: MachineFarm.coordinator)
            try expectSame(film, folder.file("alone.mkv"), frames: MachineFilm.frames)
            // Nothing else is left where films are, nor with the workers.
            #expect(farm.files(below: "out", on: MachineFarm.coordinator) == [film])
            #expect(farm.senders().isEmpty)
            // Each file came to each worker once at most, and at least once to one.
            let fetched = try #require(report["bytesFetched"] as? Int)
            let size = try MachineFilm.size(in: media)
            #expect(fetched >= size && fetched <= 3 * size, "\(fetched) of \(size)")
        }

        @Test("a wire that is cut while a segment is on its way costs no rendered chunk")
        func aCutWire() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one", "two", "three"], megabits: 8)
            let path = farm.machines.seen("noise.json", on: MachineFarm.person)
            try Data(Self.noise.utf8).write(to: URL(fileURLWithPath: path))
            let job = try farm.submit("/person/noise.json", to: "/coordinator/out/noise.mkv", Self.noiseOptions)
            let isSending = eventually(seconds: 30) { !farm.senders().isEmpty && farm.arriving() > 0 }
            let name = try #require(farm.senders().first)
            try farm.machines.cut(name)
            #expect(isSending)
            let cut = ContinuousClock.now
            // The others go on meanwhile, and the one that is cut off still has its segment.
            let length = Duration.seconds(MachineScale.cut)
            _ = eventually(seconds: MachineScale.cut) { ContinuousClock.now - cut >= length }
            #expect(farm.senders().contains(name))
            try farm.machines.mend(name)
            let chunks = MachineFarm.chunks(try farm.end(of: job))
            #expect(chunks.count == 3 && chunks.allSatisfy { $0.attempt == 1 }, "\(chunks)")
            try expectNoise(farm)
        }

        @Test("a coordinator that is killed while sources and segments are on their way costs no chunk")
        func aKilledCoordinator() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one", "two"], megabits: 8)
            // Some 3 MB, which take three seconds.
            let media = farm.machines.seen("media/noise.mkv", on: MachineFarm.coordinator)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "nullsrc=s=320x180:r=25:d=2,geq=random(1)*255:128:128", "-c:v", "ffv1", "-g", "1",
                media,
            ])
            let path = farm.machines.seen("cut.json", on: MachineFarm.person)
            try Data(Self.sourced("/coordinator/media/noise.mkv").utf8).write(to: URL(fileURLWithPath: path))
            let job = try farm.submit("/person/cut.json", to: "/coordinator/out/film.mkv", Self.noiseOptions)
            #expect(eventually(seconds: 30) { !farm.readers().isEmpty })
            try farm.killCoordinator()
            #expect(eventually(seconds: 60) { !farm.senders().isEmpty && farm.arriving() > 0 })
            try farm.killCoordinator()
            let chunks = MachineFarm.chunks(try farm.end(of: job))
            #expect(chunks.count == 2 && chunks.allSatisfy { $0.attempt == 1 }, "\(chunks)")
            let cut = try folder.write(Self.sourced(media), to: "cut.json")
            try program.render(cut, to: folder.file("alone.mkv"), Self.noiseOptions + ["--workers", "1"])
            let film = farm.machines.seen("out/film.mkv", on: MachineFarm.coordinator)
            try expectSame(film, folder.file("alone.mkv"), frames: 50)
            #expect(farm.files(below: "out", on: MachineFarm.coordinator) == [film])
        }

        /// Each question is a process of its own with a handshake of some six ways over the wire.
        @Test("questions are answered in time while the wire is full", .enabled(if: MachineScale.isFull, "long form"))
        func questionsMeanwhile() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one", "two", "three"])
            let path = farm.machines.seen("noise.json", on: MachineFarm.person)
            try Data(Self.noiseFilm(seconds: 120).utf8).write(to: URL(fileURLWithPath: path))
            let job = try farm.submit("/person/noise.json", to: "/coordinator/out/noise.mkv", Self.noiseOptions)
            #expect(eventually(seconds: 30) { farm.arriving() > 0 })
            var took: [Double] = []
            while took.count < 100 {
                let asked = try farm.asPerson(["workers", "--json"])
                guard asked.status == 0, asked.seconds < 5 else { throw ToolFailure("\(asked)") }
                took.append(asked.seconds)
            }
            let slowest = took.sorted()[took.count * 99 / 100]
            print("workers --json over 20 ms and 50 Mbit/s: p99 \(slowest) s, process and handshake included")
            #expect(slowest < 1)
            _ = try farm.end(of: job, seconds: 600)
        }

        /// A film of noise, whose source goes to the workers and whose segments come back, fills both ways.
        @Test(
            "answers over an open connection come within half a second while the wire is full",
            .enabled(if: MachineScale.isFull, "long form"))
        func answersMeanwhile() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one", "two", "three"])
            let media = farm.machines.seen("media/noise.mkv", on: MachineFarm.coordinator)
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "nullsrc=s=320x180:r=25:d=200,noise=alls=100:allf=t", "-c:v", "ffv1", "-g", "1",
                media,
            ])
            let path = farm.machines.seen("cut.json", on: MachineFarm.person)
            let cut = Self.sourced("/coordinator/media/noise.mkv", seconds: 200)
            try Data(cut.utf8).write(to: URL(fileURLWithPath: path))
            let asker = farm.machines.seen("asker", on: MachineFarm.person)
            try FileManager.default.copyItem(atPath: program.sibling("Asker").path, toPath: asker)
            let job = try farm.submit("/person/cut.json", to: "/coordinator/out/film.mkv", Self.noiseOptions)
            #expect(eventually(seconds: 30) { farm.arriving() > 0 })

            let before = try farm.bytesOfHub()
            let words = "/person/asker tcp://coordinator:7733 /person/p.token 300"
            let asked = try farm.machines.shell(on: MachineFarm.person, words, seconds: 240)
            let after = try farm.bytesOfHub()
            #expect(asked.status == 0, "\(asked)")
            let took = asked.text.split(separator: "\n").compactMap { Double($0) }.sorted()
            try #require(took.count == 300)
            #expect(try farm.report(job)["state"] as? String == "running", "the wire was not full to the end")
            let (came, went) = (after.came - before.came, after.went - before.went)
            let megabits = [came, went].map { Double($0) * 8 / 1e6 / asked.seconds }
            print(
                "answers over one connection, 20 ms and 50 Mbit/s with \(megabits) Mbit/s in use:",
                "median \(took[150]) s, p99 \(took[297]) s, at most \(took[299]) s")
            #expect(megabits.allSatisfy { $0 > 20 })
            #expect(took[0] > 0.04 && took[297] < 0.5)
        }

        @Test(
            "a person's own files make a film that comes back",
            .enabled(if: MachineScale.hasStore, "needs `splitreel download`"))
        func thePersonsFiles() throws {
            let farm = try MachineFarm(in: folder, program, workers: ["one"])
            let media = farm.machines.seen("media", on: MachineFarm.person)
            try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: true)
            try MachineFilm.writeMedia(to: media)
            let path = farm.machines.seen("cut.json", on: MachineFarm.person)
            try Data(MachineFilm.composition(media: "media").utf8).write(to: URL(fileURLWithPath: path))
            let words = ["submit", "/person/cut.json", "-o", "/person/film.mkv", "--watch", "--timeout", "20"]
            let made = try farm.asPerson(words + MachineFilm.options)
            #expect(made.status == 0, "\(made)")
            let cut = try folder.write(MachineFilm.composition(media: media), to: "cut.json")
            try program.render(cut, to: folder.file("alone.mkv"), MachineFilm.options + ["--workers", "1"])
            let film = farm.machines.seen("film.mkv", on: MachineFarm.person)
            try expectSame(film, folder.file("alone.mkv"), frames: MachineFilm.frames)
        }

        // MARK: - Films

        private static let noiseOptions = ["--chunk-seconds", "1", "--video-codec", "ffv1"]
        private static let noise = noiseFilm(seconds: 3)

        /// Coloured noise, a chunk of which has some 2 MB.
        private static func noiseFilm(seconds: Int) -> String {
            """
            {"format": "splitreel/1",
             "assets": {"n": {"kind": "noise", "size": [320, 180], "rate": 25, "monochrome": false}},
             "composition": {"tracks": [
              {"id": 1, "type": "video", "segments": [{"asset": "n", "target": ["0s", "\(seconds)s"]}]}]},
             "video": {"renderSize": [320, 180], "frameDuration": "1/25"}}
            """
        }

        private static func sourced(_ media: String, seconds: Int = 2) -> String {
            Text.project(
                ["a": media], [Text.track(1, "video", Text.clip("a", "0s", "\(seconds)s", at: "0s"))],
                size: (320, 180), frame: "1/25")
        }

        private func expectNoise(_ farm: MachineFarm) throws {
            let cut = try folder.write(Self.noise, to: "noise.json")
            try program.render(cut, to: folder.file("alone.mkv"), Self.noiseOptions + ["--workers", "1"])
            let film = farm.machines.seen("out/noise.mkv", on: MachineFarm.coordinator)
            try expectSame(film, folder.file("alone.mkv"), frames: 75)
            #expect(farm.files(below: "out", on: MachineFarm.coordinator) == [film])
        }

        /// The same file byte by byte, with so many frames for ffmpeg.
        private func expectSame(_ film: String, _ alone: String, frames: Int) throws {
            let bytes = FileManager.default.contents(atPath: film)
            #expect(bytes != nil && bytes == FileManager.default.contents(atPath: alone))
            #expect(try witness.frameHashes(film).count == frames)
        }
    }
}
