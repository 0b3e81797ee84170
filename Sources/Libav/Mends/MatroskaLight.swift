package import Pictures

/// Writes a film's light into Matroska. Tracks stand in front of the packets, and libavformat never writes them again:
/// the light, known only at the end, goes into the place that was kept for it.
package enum MatroskaLight {
    /// The light that keeps the place: two bytes for each number, as every number that may take its place has.
    package static let placeholder = ContentLight(most: 10_000, average: 10_000)

    /// Writes the light and waits until the disk has it. Throws `.muxFailed` where the film has no place for it.
    package static func write(_ light: ContentLight, path: String) throws {
        try MatroskaFile.update(path, operation: "writing the film's light") { file in
            let (place, tracks) = try file.element(0x1654_AE6B)
            guard let patched = patched(tracks, light) else { throw file.failure("its tracks have no place for it") }
            try file.write(patched, at: place)
        }
    }

    /// The element of all tracks with the light in it; nil unless it has exactly one place for it.
    private static func patched(_ tracks: [UInt8], _ light: ContentLight) -> [UInt8]? {
        let wanted = elements(placeholder)
        let places = tracks.indices.filter { tracks[$0...].starts(with: wanted) }
        guard let element = MatroskaElement(tracks, 0), places.count == 1, let place = places.first else { return nil }
        var patched = tracks
        patched.replaceSubrange(place..<(place + wanted.count), with: elements(light))
        MatroskaElement.renewChecksum(&patched, of: element.content)
        return patched
    }

    /// The elements of MaxCLL and MaxFALL as they follow one another.
    private static func elements(_ light: ContentLight) -> [UInt8] {
        [(0xBC, light.most), (0xBD, light.average)].flatMap { id, value in
            [0x55, id, 0x82, UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
    }
}
