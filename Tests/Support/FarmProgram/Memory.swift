import Foundation
import Splitreel

/// The bytes of a file by their places, as a program may have them in a database.
private final class Row: MediaSource {
    let identity: SourceIdentity
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        identity = SourceIdentity(byteCount: bytes.count, version: "1")
    }

    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard place < bytes.count else { return 0 }
        let count = min(buffer.count, 100_000, bytes.count - place)
        buffer.copyBytes(from: bytes[place..<place + count])
        return count
    }
}

/// FarmProgram memory MEDIA FOLDER [ENDPOINT]: exports a film of a media file, of its bytes in memory, and of a source
/// of the program's own; by workers and by threads, or by the farm of ENDPOINT. Of an address the object alone. Each
/// end is one line. Ends the program.
func exportFromMemory(_ words: [String]) async -> Never {
    let (path, folder) = (words[0], words[1])
    do {
        var assets = [("object", MediaAsset(path))]
        if !path.hasPrefix("s3://") {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            assets = [
                ("file", MediaAsset(path)), ("data", MediaAsset(data: bytes, name: "take.mkv")),
                ("source", MediaAsset(source: Row(bytes), name: "take.mkv")),
            ]
        }
        var farms: [(String, ExportSession.Farm)] = [("local", .local(workers: 2)), ("threads", .threads)]
        if words.count > 2 { farms = [("far", .connect(words[2]))] }
        for (name, asset) in assets {
            var project = Project()
            try await project.insert(of: asset)
            for (place, farm) in farms {
                let session = ExportSession(project)
                session.farm = farm
                let film = try await session.export(to: "\(folder)/\(name)-\(place).mkv")
                print("\(name) \(place) \(film.frameCount)")
            }
        }
    } catch {
        print("error: \(error)")
    }
    exit(0)
}
