internal import CFFmpeg
internal import Outputs

/// Writes a film's cover into Matroska. The cover is known when its frame has been rendered, and attachments stand in
/// front of the packets: room for the longest cover is kept there, and the rest of the room becomes void.
package enum MatroskaCover {
    /// The attachment's name, under which players look for a cover.
    package static let name = "cover.jpg"
    /// The bytes of the longest cover, and of an element that says that the rest is void.
    package static let room = VideoSettings.mostPosterBytes + 64

    /// Writes the cover, a JPEG, and waits until the disk has it. Throws `.muxFailed` where the film has no room for
    /// it.
    package static func write(_ picture: [UInt8], path: String) throws {
        try MatroskaFile.update(path, operation: "writing the film's cover") { file in
            let (place, attachments) = try file.element(0x1941_A469)
            guard let filled = filled(attachments, picture) else { throw file.failure("it has no room for it") }
            try file.write(filled, at: place)
        }
    }

    /// The element of all attachments with the picture in place of the room, and a void element after it, in as many
    /// bytes; nil where the room is not there.
    private static func filled(_ attachments: [UInt8], _ picture: [UInt8]) -> [UInt8]? {
        let unused = room - picture.count
        guard let outer = MatroskaElement(attachments, 0), outer.end == attachments.count,
            let file = child(0x61A7, of: outer, attachments), let data = child(0x465C, of: file, attachments),
            data.content.count == room, unused > 5, let void = MatroskaElement.sizeBytes(unused - 5, count: 4)
        else { return nil }
        var filled = attachments
        filled.replaceSubrange(data.content, with: picture)
        for element in [data, file, outer] {
            guard let size = element.sizeBytes(element.content.count - unused) else { return nil }
            filled.replaceSubrange(element.sizePlace..<element.content.lowerBound, with: size)
        }
        MatroskaElement.renewChecksum(&filled, of: outer.content.lowerBound..<(outer.end - unused))
        return filled + [0xEC] + void + [UInt8](repeating: 0, count: unused - 5)
    }

    private static func child(_ id: UInt64, of parent: MatroskaElement, _ bytes: [UInt8]) -> MatroskaElement? {
        var place = parent.content.lowerBound
        while place < parent.end, let element = MatroskaElement(bytes, place), element.end <= parent.end {
            if element.id == id { return element }
            place = element.end
        }
        return nil
    }
}
