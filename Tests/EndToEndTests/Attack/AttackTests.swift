import FarmProtocol
import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// Hostile peers, compositions and media, all from dice of one seed: nothing crashes, hangs or grows, and an honest
    /// job that runs beside them is done right. The long form is `make attack`.
    @Suite struct AttackTests {
        /// Resident memory of a coordinator at most, in MiB.
        private static let memory = 400.0

        @Test(arguments: ["tcp", "ipc"]) func hostilePeersStopNothing(transport: String) throws {
            let folder = try TestFolder("attack")
            let program = try Splitreel(in: folder)
            let honest = try HonestJob(in: folder)
            let place = transport == "ipc" ? "ipc://\(folder.file("control"))" : "tcp://127.0.0.1:0"
            let farm = try Farm(in: folder, program, workers: [], endpoint: place)
            let seed = AttackScale.seed &* 100 &+ (transport == "ipc" ? 1 : 0)
            let heartbeats = try Self.misbehave(farm.endpoint, seed: seed)
            let workers = ["workers", "--json", "--connect", farm.endpoint, "--timeout", "30"]
            // All have left: an idle slot of theirs would be given chunks.
            #expect(
                try eventually(seconds: 60) {
                    let text = try program.run(workers).standardOutput
                    return try (JSONSerialization.jsonObject(with: text) as? [Any])?.isEmpty ?? false
                })
            let rude = try RudeConnections(farm.endpoint, seed: seed, count: 60)
            // Who may open a socket file is the file system's matter; what TCP brings is watched byte by byte.
            if transport == "tcp" { try RudeConnections.endless(farm.endpoint, frames: 600) }
            try farm.addWorker("honest")
            let floods = [
                MessageFlood(farm.endpoint, seed: seed, least: AttackScale.messages),
                MessageFlood(heartbeats, seed: seed &+ 7, least: AttackScale.messages / 10),
            ]
            var count = 0
            repeat {
                try honest.expectDone(by: farm, as: "honest-\(count)")
                count += 1
            } while count < 200 && floods.contains { $0.fault == nil && !$0.isDone }
            for flood in floods {
                #expect(flood.finish(seconds: 600), "\(flood.sent) messages sent")
                #expect(flood.fault == nil)
            }
            let answer = try program.run(workers)
            #expect(answer.status == 0 && answer.text.contains("honest"), "\(answer)")
            withExtendedLifetime(rude) {}
            let sent = floods.reduce(0) { $0 + $1.sent }
            Self.expectSound(farm.coordinator, "\(sent) hostile messages over \(transport), \(count) honest jobs right")
        }

        @Test func hostileCompositions() throws {
            let folder = try TestFolder("attack")
            let program = try Splitreel(in: folder)
            let honest = try HonestJob(in: folder)
            var maker = HostileJSON(seed: AttackScale.seed, bases: try Self.bases(in: folder))
            let files = try (0..<AttackScale.compositions).map { number in
                try folder.write(Data(try maker.next()), to: "c\(number).json")
            }
            let farm = try Farm(in: folder, program, workers: [])
            let (path, endpoint) = (program.path, farm.endpoint)
            let verdicts = Verdicts(seconds: 60)
            Verdicts.each(files.count) { number in
                let (file, name) = (files[number], "composition \(number) of seed \(AttackScale.seed)")
                let isValid = verdicts.run(path, ["validate", file], about: name) == 0
                verdicts.run(path, ["plan", file], about: name)
                verdicts.run(
                    path,
                    ["submit", file, "-o", file + ".farm.mp4", "--connect", endpoint, "--timeout", "30", "--no-check"],
                    about: name)
                guard isValid else { return }
                verdicts.run(
                    path, ["render", file, "-o", file + ".mp4", "--workers", "1", "--encoder-preset", "ultrafast"],
                    about: name)
            }
            #expect(verdicts.all.isEmpty)
            try farm.addWorker("honest")
            try honest.expectDone(by: farm, as: "after")
            Self.expectSound(
                farm.coordinator,
                "\(files.count) hostile compositions: exit statuses and how often: \(verdicts.summary)")
        }

        @Test func hostileMedia() throws {
            let folder = try TestFolder("attack")
            let program = try Splitreel(in: folder)
            let honest = try HonestJob(in: folder)
            var maker = try HostileMedia(seed: AttackScale.seed, Witness(in: folder))
            var files = try HostileMedia.crafted(in: folder)
            for number in 0..<AttackScale.media {
                let (ending, bytes) = maker.next()
                files.append(try folder.write(Data(bytes), to: "m\(number).\(ending)"))
            }
            let cuts = try files.map {
                try folder.write(Self.cut($0), to: ($0 as NSString).lastPathComponent + ".json")
            }
            let farm = try Farm(in: folder, program, workers: [])
            let (path, endpoint) = (program.path, farm.endpoint)
            let verdicts = Verdicts(seconds: 90)
            Verdicts.each(files.count) { [files] number in
                let cut = cuts[number]
                let name = "\(files[number]) of seed \(AttackScale.seed)"
                verdicts.run(
                    path,
                    ["submit", cut, "-o", cut + ".farm.mp4", "--connect", endpoint, "--timeout", "30", "--no-check"],
                    about: name)
                verdicts.run(path, ["probe", files[number]], about: name)
                verdicts.run(
                    path, ["render", cut, "-o", cut + ".mp4", "--workers", "1", "--encoder-preset", "ultrafast"],
                    about: name)
            }
            #expect(verdicts.all.isEmpty)
            try farm.addWorker("honest")
            try honest.expectDone(by: farm, as: "after")
            Self.expectSound(
                farm.coordinator, "\(files.count) hostile media: exit statuses and how often: \(verdicts.summary)")
        }

        /// It runs, has not grown, and ends when it is told to.
        private static func expectSound(_ coordinator: Tool, _ attack: String) {
            #expect(coordinator.isRunning, "\(coordinator.errorsSoFar.suffix(2000))")
            let used = ProcessTable.peakMemory(of: coordinator.identifier)
            #expect(used > 5 && used < memory, "the coordinator had \(used) MiB")
            print("\(attack); the coordinator took \(Int(used)) MiB at most")
            coordinator.send(SIGTERM)
            let result = coordinator.finish(seconds: 30)
            #expect((0...8).contains(result.status ?? -1), "\(result)")
        }

        /// Slots that register as they should, speak of leases that they never had and leave; where heartbeats go.
        private static func misbehave(_ endpoint: String, seed: UInt64) throws -> String {
            var messages = HostileMessages(seed: seed)
            let first = try RawPeer(endpoint, keepsAnswers: true)
            try register("hostile/first", with: first)
            first.flush()
            var heartbeats: String?
            _ = eventually(seconds: 30) {
                first.drain()
                heartbeats = first.answers.lazy.compactMap(Self.heartbeatEndpoint).first
                return heartbeats != nil
            }
            try leave("hostile/first", with: first)
            for number in 0..<40 {
                let peer = try RawPeer(endpoint)
                try register("hostile/\(number)", with: peer)
                for _ in 0..<40 { peer.add([messages.slotMessage()]) }
                try leave("hostile/\(number)", with: peer)
            }
            return try #require(heartbeats, "no slot was welcome")
        }

        /// With every version that the farm may have: the others are refused.
        private static func register(_ slot: String, with peer: RawPeer) throws {
            for version in 1...24 as ClosedRange<UInt32> {
                var register = Splitreel_Farm_Register()
                (register.worker, register.slot, register.rendererVersion) = ("hostile", slot, version)
                peer.add([try Splitreel_Farm_Envelope(.register(register)).frame()])
            }
        }

        private static func leave(_ slot: String, with peer: RawPeer) throws {
            var leaving = Splitreel_Farm_Leaving()
            leaving.slot = slot
            peer.add([try Splitreel_Farm_Envelope(.leaving(leaving)).frame()])
            #expect(peer.flush())
        }

        private static func heartbeatEndpoint(_ frame: [UInt8]) -> String? {
            guard case .message(let envelope) = ReceivedFrame(frame), case .welcome(let welcome)? = envelope.body else {
                return nil
            }
            return welcome.heartbeatEndpoint
        }

        /// Two layers and sound, a generator with ramps and crops, and the example that has a bit of everything.
        private static func bases(in folder: TestFolder) throws -> [String] {
            let media = try [MadeMedia.ntsc, .high].makeAll(in: folder, Witness(in: folder))
            let layered = Text.project(
                media,
                [
                    Text.track(1, "video", Text.clip("ntsc", "0s", "1s", at: "0s"), Text.gap("1s", "0.5s")),
                    Text.track(
                        2, "video", Text.gap("0s", "0.5s"), Text.clip("ntsc", "1s", "2s", at: "0.5s", for: "1s")),
                    Text.track(3, "audio", Text.clip("high", "0s", "1.5s", at: "0s")),
                ], size: (128, 72), frame: "1/25",
                [
                    Text.instruction("0s", "0.5s", Text.layer(1, [0.5, 0, 0, 0.5, 0, 0])),
                    Text.instruction(
                        "0.5s", "0.5s",
                        Text.layer(1, [0.5, 0, 0, 0.5, 0, 0], more: Text.ramp("opacity", "0.5s", "0.5s", "1", "0")),
                        Text.layer(2, [0.5, 0, 0, 0.5, 0, 0])),
                    Text.instruction("1s", "0.5s", Text.layer(2, [0.5, 0, 0, 0.5, 0, 0])),
                ], inputs: [Text.volume(3, "0s", "1s", 1, 0)])
            let generated = """
                {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[1,0.5,0,1],"size":[40,30]}},
                "composition":{"tracks":[\(Text.track(1, "video", Text.still("c", at: "0s", for: "1s")))]},
                "video":{"renderSize":[64,48],"frameDuration":"1/25","renderScale":1,"instructions":[\(Text.instruction(
                    "0s", "1s",
                    Text.layer(
                        1, [1, 0, 0, 1, 0, 0], to: [0, 1, -1, 0, 40, 0], "0s", "1s",
                        more: Text.ramp("crop", "0s", "1s", "[0,0,40,30]", "[10,10,5,5]"))))]},
                "outputs":[{"url":"out.mp4","videoSettings":{"codec":"h264","crf":30},"range":["0s","0.5s"]}]}
                """
            let example = SourceTree.root().map { $0 + "/examples/every-key/film.json" }
            let text = try example.map {
                String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
            }
            // The example's files are not there: it is for the readers of text, the others for those of films.
            return [layered, layered, generated, generated] + [text].compactMap { $0 }
        }

        /// The first fifth of a second of a file, by what its name says that it is.
        private static func cut(_ path: String) -> String {
            let ending = (path as NSString).pathExtension
            if ["png", "jpg", "tiff", "webp", "bmp", "svg"].contains(ending) {
                return Text.project(
                    ["a": path], [Text.track(1, "video", Text.still("a", at: "0s", for: "0.2s"))], size: (64, 48),
                    frame: "1/25")
            }
            let kind = ["ogg", "mp3", "wav", "flac"].contains(ending) ? "audio" : "video"
            let clip = Text.clip("a", "0s", "0.2s", at: "0s")
            return Text.project(["a": path], [Text.track(1, kind, clip)], size: (64, 48), frame: "1/25")
        }
    }
}
