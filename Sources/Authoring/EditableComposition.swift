import Diagnostics
package import MediaFacts
package import MediaTime
package import SplitreelProject

/// Tracks under edit, as AVMutableComposition has them: the edits of all tracks at once, and the ids that were ever
/// used.
///
/// The composition is a value: a copy is another one. All edits are exact and throw before they change anything.
package struct EditableComposition: Sendable {
    package private(set) var list: Composition
    /// The highest id that a file may have.
    private static let highestID = Int(Int32.max)
    /// The ids that were ever used, those of removed tracks too: an id names one track for ever.
    private var usedIDs: Set<Int>

    package init(_ list: Composition = Composition()) {
        self.list = list
        usedIDs = Set(list.tracks.map(\.id))
    }

    /// The end of the last segment of any track, in seconds.
    package var duration: Rational { list.tracks.map(\.duration).max() ?? .zero }

    package subscript(id: Int) -> Track? { list.tracks.first { $0.id == id } }

    // MARK: - Tracks

    /// Adds a track above none: it is drawn beneath those that are there. `preferredID` is used where it is above 0 and
    /// was never used before; otherwise the track gets the next above all that were, or the lowest that is left.
    /// Answers the id.
    @discardableResult
    package mutating func addTrack(_ type: MediaType, preferredID: Int? = nil) -> Int {
        var track = Track()
        track.type = type
        let highest = usedIDs.max() ?? 0
        if let preferredID, (1...Self.highestID).contains(preferredID), !usedIDs.contains(preferredID) {
            track.id = preferredID
        } else if highest < Self.highestID {
            track.id = max(0, highest) + 1
        } else {
            track.id = (1...Self.highestID).first { !usedIDs.contains($0) } ?? 0
        }
        usedIDs.insert(track.id)
        list.tracks.append(track)
        return track.id
    }

    /// Removes a track; false where there is none of that id.
    @discardableResult
    package mutating func removeTrack(_ id: Int) -> Bool {
        guard let index = index(of: id) else { return false }
        list.tracks.remove(at: index)
        return true
    }

    /// Edits one track. Throws `.layerTrackUnknown` where there is none of that id, and what `body` throws; the track
    /// is as before then. Its id and type stay as they are.
    package mutating func edit(_ id: Int, _ body: (inout Track) throws -> Void) throws {
        guard let index = index(of: id) else { throw unknown(id) }
        var track = list.tracks[index]
        try body(&track)
        (track.id, track.type) = (id, list.tracks[index].type)
        list.tracks[index] = track
    }

    /// The first track that a file's track can be inserted into: one of its type.
    package func track(compatibleWith facts: TrackFacts) -> Track? { list.tracks.first { $0.type == facts.type } }

    // MARK: - All tracks at once

    /// Inserts a range of all of an asset's pictures and sound, adding tracks where there are not enough of a type;
    /// segments at `time` and after it move out, in all tracks. A `time` of nil appends at the composition's end.
    ///
    /// Where a track of the asset has nothing in the range, nothing is inserted of it.
    package mutating func insert(
        _ asset: String, _ source: TimeRange, of facts: AssetFacts, at time: Rational? = nil
    ) throws {
        var copy = self
        let place = time ?? duration
        guard let range = source.exact else { throw noRange(source) }
        let parts = copy.parts(of: facts, within: range)
        guard !parts.isEmpty else {
            throw SplitreelError(
                .sourceOutsideAsset, operation: "editing", subject: asset,
                reason: "it has neither picture nor sound from \(range.start) to \(range.end)")
        }
        var taken: Set<Int> = []
        for found in parts {
            let free = copy.list.tracks.first { $0.type == found.type && !taken.contains($0.id) }?.id
            let id = free ?? copy.addTrack(found.type)
            taken.insert(id)
            let number = facts.kind.isMoving ? found.id : nil
            try copy.edit(id) { try $0.insert(asset, source, of: facts, track: number, at: place) }
        }
        for track in copy.list.tracks where !taken.contains(track.id) {
            try copy.edit(track.id) { try $0.insertEmpty(at: place, lasting: range.end - range.start) }
        }
        self = copy
    }

    /// Moves segments at `time` and after it out, in all tracks. False, and no change, where nothing moves.
    @discardableResult
    package mutating func insertEmpty(at time: Rational, lasting duration: Rational) throws -> Bool {
        var changed = false
        try editAll { changed = try $0.insertEmpty(at: time, lasting: duration) || changed }
        return changed
    }

    /// Takes out the part of all tracks that lies in the range; what lies after it moves in. No track is removed.
    package mutating func remove(_ range: TimeRange) throws { try editAll { try $0.remove(range) } }

    /// Makes the part of all tracks that lies in the range last `duration` seconds.
    package mutating func scale(_ range: TimeRange, to duration: Rational) throws {
        try editAll { try $0.scale(range, to: duration) }
    }

    // MARK: -

    /// The tracks of the asset that can be inserted: each track of pictures or sound that has something in the range.
    private func parts(of facts: AssetFacts, within range: (start: Rational, end: Rational)) -> [TrackFacts] {
        guard facts.kind.isMoving else { return [TrackFacts(id: 1, type: .video, codec: "")] }
        return facts.tracks.filter { track in
            guard track.type == .video || track.type == .audio, !track.isCoverPicture, track.fault == nil,
                let start = track.start.exact, let length = track.duration.exact
            else { return false }
            return start < range.end && range.start < start + length
        }
    }

    private mutating func editAll(_ body: (inout Track) throws -> Void) throws {
        var tracks = list.tracks
        for index in tracks.indices { try body(&tracks[index]) }
        list.tracks = tracks
    }

    private func index(of id: Int) -> Int? { list.tracks.firstIndex { $0.id == id } }

    private func unknown(_ id: Int) -> SplitreelError {
        SplitreelError(
            .layerTrackUnknown, operation: "editing", subject: "track \(id)", reason: "the composition has none")
    }

    private func noRange(_ range: TimeRange) -> SplitreelError {
        SplitreelError(
            .segmentRangeInvalid, operation: "editing", subject: "the composition", reason: "\(range) is no range")
    }
}
