import Diagnostics
public import MediaFacts
public import MediaTime
public import SplitreelProject

// Edits of a composition, as AVMutableComposition has them: of its tracks, and of all tracks at once. All are exact,
// change nothing but this value, and throw `SplitreelError` before they change anything. Times are composition times,
// ranges half-open.
extension Composition {
    /// The highest id that a file may have.
    private static let highestID = Int(Int32.max)

    /// The end of the last segment of any track; zero where there is none.
    public var duration: MediaTime { length.mediaTime }

    /// The end of the last segment of any track, in seconds.
    package var length: Rational { tracks.map(\.length).max() ?? .zero }

    /// The track of that id; nil where there is none. `edit` changes it.
    public subscript(id id: Int) -> Track? { tracks.first { $0.id == id } }

    // MARK: - Tracks

    /// The tracks of a type, in the file's order.
    public func tracks(of type: MediaType) -> [Track] { tracks.filter { $0.type == type } }

    /// Adds a track above none: it is drawn beneath those that are there. `preferredID` is used where it is above 0 and
    /// was never used before: an id names one track for ever, also after `removeTrack`. Otherwise the track gets the
    /// next id above all that were, or the lowest that is left. Answers the id.
    @discardableResult
    public mutating func addTrack(_ type: MediaType, preferredID: Int? = nil) -> Int {
        var track = Track()
        track.type = type
        let usedIDs = removedIDs.all.union(tracks.map(\.id))
        let highest = usedIDs.max() ?? 0
        if let preferredID, (1...Self.highestID).contains(preferredID), !usedIDs.contains(preferredID) {
            track.id = preferredID
        } else if highest < Self.highestID {
            track.id = max(0, highest) + 1
        } else {
            track.id = (1...Self.highestID).first { !usedIDs.contains($0) } ?? 0
        }
        tracks.append(track)
        return track.id
    }

    /// Removes a track; false where there is none of that id.
    @discardableResult
    public mutating func removeTrack(_ id: Int) -> Bool {
        guard let index = index(of: id) else { return false }
        tracks.remove(at: index)
        removedIDs.all.insert(id)
        return true
    }

    /// Edits one track. Throws `.layerTrackUnknown` where there is none of that id, and what `body` throws; the track
    /// is as before then. Its id and type stay as they are.
    public mutating func edit(_ id: Int, _ body: (inout Track) throws -> Void) throws {
        guard let index = index(of: id) else { throw unknown(id) }
        var track = tracks[index]
        try body(&track)
        (track.id, track.type) = (id, tracks[index].type)
        tracks[index] = track
    }

    /// The first track that a file's track can be inserted into: one of its type.
    public func track(compatibleWith facts: TrackFacts) -> Track? { tracks.first { $0.type == facts.type } }

    // MARK: - All tracks at once

    /// Inserts a range of all of an asset's pictures and sound, adding tracks where there are not enough of a type;
    /// segments at `time` and after it move out, in all tracks.
    ///
    /// Where a track of the asset has nothing in the range, nothing is inserted of it.
    ///
    /// - Parameters:
    ///   - asset: the asset's name in the project.
    ///   - source: the range of the asset's time.
    ///   - facts: the asset's facts, which say what tracks it has.
    ///   - time: the place in the composition; nil to append at its end.
    public mutating func insert(
        _ asset: String, _ source: TimeRange, of facts: AssetFacts, at time: MediaTime? = nil
    ) throws {
        try insert(asset, source, of: facts, at: place(time) ?? length)
    }

    /// Inserts as above, at a place in exact seconds.
    package mutating func insert(
        _ asset: String, _ source: TimeRange, of facts: AssetFacts, at place: Rational
    ) throws {
        var copy = self
        guard let range = source.exact else { throw noRange(source) }
        let parts = copy.parts(of: facts, within: range)
        guard !parts.isEmpty else {
            let (start, end) = (range.start.shortSeconds, range.end.shortSeconds)
            throw SplitreelError(
                .sourceOutsideAsset, operation: "editing", subject: asset,
                reason: "it has neither picture nor sound from \(start) s to \(end) s",
                hint: "give a range of asset time: its first picture or sound is at 0")
        }
        var taken: Set<Int> = []
        for found in parts {
            let free = copy.tracks.first { $0.type == found.type && !taken.contains($0.id) }?.id
            let id = free ?? copy.addTrack(found.type)
            taken.insert(id)
            let number = facts.kind.isMoving ? found.id : nil
            try copy.edit(id) { try $0.insert(asset, source, of: facts, track: number, at: place) }
        }
        for track in copy.tracks where !taken.contains(track.id) {
            try copy.edit(track.id) { try $0.insertEmpty(at: place, lasting: range.end - range.start) }
        }
        self = copy
    }

    /// Inserts nothing for a while: moves segments at the range's start and after it out, in all tracks. False, and no
    /// change, where nothing moves: a composition does not end with nothing.
    @discardableResult
    public mutating func insertEmpty(_ range: TimeRange) throws -> Bool {
        guard let exact = range.exact else { throw noRange(range) }
        return try insertEmpty(at: exact.start, lasting: exact.end - exact.start)
    }

    /// Moves segments at `time` and after it out, in all tracks. False, and no change, where nothing moves.
    @discardableResult
    package mutating func insertEmpty(at time: Rational, lasting duration: Rational) throws -> Bool {
        var changed = false
        try editAll { changed = try $0.insertEmpty(at: time, lasting: duration) || changed }
        return changed
    }

    /// Takes out the part of all tracks that lies in the range; what lies after it moves in. No track is removed.
    public mutating func remove(_ range: TimeRange) throws { try editAll { try $0.remove(range) } }

    /// Makes the part of all tracks that lies in the range last as long as `duration`, which is above 0.
    public mutating func scale(_ range: TimeRange, to duration: MediaTime) throws {
        guard let exact = duration.exact else { throw noRange(TimeRange(start: .zero, duration: duration)) }
        try scale(range, to: exact)
    }

    /// Makes the part of all tracks that lies in the range last `duration` seconds.
    package mutating func scale(_ range: TimeRange, to duration: Rational) throws {
        try editAll { try $0.scale(range, to: duration) }
    }

    // MARK: -

    /// The time in exact seconds; nil where it is nil. Throws where it is no number of seconds.
    private func place(_ time: MediaTime?) throws -> Rational? {
        guard let time else { return nil }
        guard let exact = time.exact else { throw noRange(TimeRange(start: time, duration: .zero)) }
        return exact
    }

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
        var edited = tracks
        for index in edited.indices { try body(&edited[index]) }
        tracks = edited
    }

    private func index(of id: Int) -> Int? { tracks.firstIndex { $0.id == id } }

    private func unknown(_ id: Int) -> SplitreelError {
        SplitreelError(
            .layerTrackUnknown, operation: "editing", subject: "track \(id)", reason: "the composition has none")
    }

    private func noRange(_ range: TimeRange) -> SplitreelError {
        SplitreelError(
            .segmentRangeInvalid, operation: "editing", subject: "the composition",
            reason: "a start of \(range.start.text) with a duration of \(range.duration.text) is no range",
            hint: "give a start, and a duration above 0")
    }
}
