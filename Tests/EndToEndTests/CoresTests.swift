import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The cores that a process may use, as `taskset` leaves them.
    @Suite struct CoresTests {
        @Test("of one core there is one worker by default, and doctor and plan say so")
        func affinity() throws {
            let folder = try TestFolder("cores")
            let cut = try folder.write(
                """
                {"format":"splitreel/1","assets":{"c":{"kind":"bars"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"c","target":["0s","1s"]}]}]},
                "video":{"renderSize":[64,32],"frameDuration":"1/25"}}
                """, to: "cut.json")
            let path = try #require(Splitreel.find())
            let allowed = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let list = try #require(allowed.firstMatch(of: /Cpus_allowed_list:\s*(\d+)/)?.1)
            func output(_ arguments: [String]) throws -> String {
                let words = ["-c", String(list), path] + arguments
                return try Tool("/usr/bin/taskset", words, in: folder).finish(seconds: 30).text
            }
            let machine = try output(["doctor", folder.path]).split(separator: "\n").first { $0.contains("machine:") }
            #expect(machine?.contains(/machine: 1 core\b.*: 1 worker by default/) == true, "\(machine ?? "")")
            #expect(try output(["plan", cut]).contains(/memory about \d+ MiB .*: 1 at a time here/))
        }
    }
}
