internal import CFFmpeg
internal import Foundation
internal import Glibc
package import Libav
package import Pictures
internal import SplitreelFiles

/// Writes a sequence of images: a folder with a file for each frame, named by its number from 0.
///
/// Packets of the image encoders are whole files. The images get their own names only when they are published.
package final class ImageFolder: FilmSink {
    private let path: String

    /// Makes the folder, or empties it.
    init(path: String) throws {
        self.path = path
        try? FileManager.default.removeItem(atPath: path)
        guard unsafe mkdir(path, 0o777) == 0 else { throw writingFailure("mkdir", path, errno: errno) }
    }

    /// The path of the image of a frame.
    package static func image(ofFrame frame: Int, in folder: String) -> String { folder + "/\(frame)" }

    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        let data = unsafe bytes(packet.fields.data, count: packet.fields.size)
        try writeFile(Data(data), to: Self.image(ofFrame: frame, in: path), permissions: 0o666)
    }

    package func finish(light: ContentLight?) throws { try synchronize(path) }

    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
