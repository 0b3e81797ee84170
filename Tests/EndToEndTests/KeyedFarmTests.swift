import Foundation
import TestTools
import Testing

extension EndToEndAlone {
    /// A farm with keys, by its commands: coordinator, worker and people as processes of their own.
    @Suite struct KeyedFarmTests {
        @Test func aFilmUnderKeysAndNothingWithoutThem() throws {
            let folder = try TestFolder("keyed")
            let program = try Splitreel(in: folder)
            let composition = try LongFilm.write(in: folder, seconds: 4, size: (320, 180))
            let (data, endpoint) = (folder.file("state"), "ipc://\(folder.file("control"))")
            #expect(try program.run(["keys", "init", "--data", data]).status == 0)
            for (name, role) in [("w", "worker"), ("ana", "submit"), ("eye", "observe")] {
                let added = try program.run([
                    "keys", "add", name, "--role", role, "--endpoint", endpoint, "-o", folder.file(name + ".token"),
                    "--data", data,
                ])
                #expect(added.status == 0, "\(added)")
            }
            let secrets = try ["w", "ana", "eye"].map { try secret(in: folder.file($0 + ".token")) }
            let coordinator = try program.start(["coordinator", "--listen", endpoint, "--data", data])
            let worker = try program.start(["worker", "--token", folder.file("w.token"), "--slots", "1", "--name", "n"])
            defer { for tool in [coordinator, worker] where tool.isRunning { tool.send(SIGKILL) } }
            #expect(coordinator.until(seconds: 20) { coordinator.outputSoFar.contains("listening on ") })

            let output = folder.file("film.mkv")
            let options = ["--chunk-seconds", "1", "--encoder-preset", "ultrafast"]
            let ana = ["SPLITREEL_TOKEN": folder.file("ana.token")]
            let film = try program.run(
                ["submit", composition, "-o", output, "--watch", "--json"] + options, environment: ana)
            #expect(film.status == 0, "\(film)")
            try program.render(composition, to: folder.file("alone.mkv"), options + ["--workers", "1"])
            let witness = Witness(in: folder)
            #expect(try witness.frameHashes(output) == (try witness.frameHashes(folder.file("alone.mkv"))))

            // The words of the worker's processes tell where the token is, never the token.
            for process in ProcessTable.children(of: worker.identifier) + [worker.identifier] {
                let bytes = try Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
                let words = String(decoding: bytes, as: UTF8.self)
                #expect(words.contains("w.token") && !secrets.contains { words.contains($0) })
            }

            #expect(try Self.socketsOfRenderer(worker.identifier) == ["0"])

            // Who has no token, the wrong role, or a token that others may read.
            let stranger = try program.run(["jobs", "--connect", endpoint], seconds: 30)
            #expect(stranger.status == 6 && stranger.standardError.contains("error 10022"), "\(stranger)")
            let eye = ["--token", folder.file("eye.token")]
            let seen = try program.run(["jobs", "--json"] + eye, seconds: 30)
            #expect(seen.status == 0 && seen.text.contains("film.mkv"), "\(seen)")
            let meddler = try program.run(["prune"] + eye, seconds: 30)
            #expect(meddler.status == 6 && meddler.standardError.contains("error 10021"), "\(meddler)")
            #expect(chmod(folder.file("eye.token"), 0o644) == 0)
            let open = try program.run(["jobs"] + eye, seconds: 30)
            #expect(open.status == 2 && open.standardError.contains("chmod 600"), "\(open)")

            // A key that is revoked is out, and its worker ends.
            #expect(try program.run(["keys", "revoke", "w", "--data", data]).status == 0)
            let ended = worker.finish(seconds: 30)
            #expect(ended.status == 6 && ended.standardError.contains("error 10020"), "\(ended)")
            let listed = try program.run(["keys", "list", "--data", data])
            #expect(listed.text.contains("revoked") && !secrets.contains { listed.text.contains($0) }, "\(listed)")
            coordinator.send(SIGTERM)
            let said = coordinator.finish(seconds: 20)
            let texts = [film, stranger, seen, ended, said].map { $0.text + $0.standardError }
            #expect(texts.allSatisfy { text in !secrets.contains { text.contains($0) } })
        }

        /// The descriptors of what renders for a worker that are sockets: one, to its other half.
        private static func socketsOfRenderer(_ worker: Int32) throws -> [String] {
            let slot = try #require(ProcessTable.children(of: worker).first)
            let renderer = try #require(ProcessTable.children(of: slot).first)
            let files = "/proc/\(renderer)/fd"
            return try FileManager.default.contentsOfDirectory(atPath: files).filter { name in
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\(name)")
                return link?.hasPrefix("socket:") == true
            }
        }

        /// The secret key in a token's text.
        private func secret(in path: String) throws -> String {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("secret-key ") })
            let secret = String(line.dropFirst("secret-key ".count))
            #expect(secret.count == 40)
            return secret
        }
    }
}
