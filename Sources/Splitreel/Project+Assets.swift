import Authoring
import Diagnostics
import JSONText
import MediaFacts
public import MediaTime
import SplitreelFiles
public import SplitreelProject

// Assets of a program on their way into a composition. What the edits need to know of them is loaded first, on threads
// of the library; a project is as it was where something fails.
extension Project {
    /// Puts an asset under `assets`, and answers its name there. The same asset twice has one name.
    ///
    /// A file is named by its path; nothing of it is read. A composition in memory becomes a nested one. Bytes and
    /// sources in memory have a URL `memory://…`, which this process reads as long as the `MediaAsset` lives, or a
    /// reader or a session that was given the project. A file that is written of such a project is of no use elsewhere.
    ///
    /// - Parameter named: the name; nil for one made of the asset's. Throws `usage` where another asset has it.
    @discardableResult
    public mutating func add(_ asset: MediaAsset, named: String? = nil) async throws -> String {
        try add(asset.entry(), named ?? assetName(for: asset.name), isChosen: named != nil)
    }

    /// Inserts a range of all pictures and sound of an asset, adding tracks where there are not enough of a type;
    /// segments at `time` and after it move out, in all tracks.
    ///
    /// - Parameters:
    ///   - range: in asset time; nil for all of it. A still has no length of its own: a range says how long it is
    ///     shown.
    ///   - time: in composition time; nil to append at the end.
    public mutating func insert(
        _ range: TimeRange? = nil, of asset: MediaAsset, at time: MediaTime? = nil
    ) async throws {
        let facts = try await asset.load(.facts)
        var copy = self
        let name = try await copy.add(asset)
        let range = try range ?? facts.whole(asset.name)
        try copy.composition.insert(name, range, of: facts, at: time)
        self = copy
    }

    /// Inserts a range of one track of an asset into a track of the composition; segments at `time` and after it in
    /// that track move out.
    ///
    /// - Parameters:
    ///   - range: in asset time; nil for the asset's whole duration.
    ///   - track: the id of the asset's track; nil for its first of the composition's track's type.
    ///   - trackID: the id of the composition's track.
    ///   - time: in composition time; nil to append at the track's end.
    public mutating func insert(
        _ range: TimeRange? = nil, of asset: MediaAsset, track: Int? = nil, into trackID: Int, at time: MediaTime? = nil
    ) async throws {
        let facts = try await asset.load(.facts)
        var copy = self
        let name = try await copy.add(asset)
        let range = try range ?? facts.whole(asset.name)
        try copy.composition.edit(trackID) { try $0.insert(name, range, of: facts, track: track, at: time) }
        self = copy
    }

    private mutating func add(_ entry: Asset, _ name: String, isChosen: Bool) throws -> String {
        if !isChosen, let known = assets.filter({ $0.value == entry }).keys.min() { return known }
        if let other = assets[name], isChosen {
            guard other == entry else {
                throw SplitreelError(
                    .usage, operation: "adding an asset", subject: name, reason: "another asset has that name",
                    hint: "choose another name, or leave it out")
            }
            return name
        }
        assets[name] = entry
        return name
    }

    /// A name that no asset has, made of the last part of a path or an address.
    private func assetName(for path: String) -> String {
        let last = fileName(of: path)
        let stem = last.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(last[..<$0]) } ?? last
        let plain = String(stem.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "-" })
        let name = plain.isEmpty ? "media" : plain
        guard assets[name] != nil else { return name }
        var number = 2
        while assets["\(name)-\(number)"] != nil { number += 1 }
        return "\(name)-\(number)"
    }

    /// The path of a `file://` URL; other names as they are.
    static func path(ofURL url: String) -> String {
        guard url.hasPrefix("file://") else { return url }
        var project = Project()
        project.assets["media"] = Asset(url: url)
        return project.resolvingURLs(against: "/").assets["media"]?.keys.url ?? url
    }
}

extension MediaAsset {
    /// The asset as a project has it.
    fileprivate func entry() throws -> Asset {
        switch try origin.get() {
        case .media(let path): return Asset(url: path)
        case .composition(let path):
            var keys = AssetKeys()
            (keys.kind, keys.url) = (.composition, path)
            return Asset(keys)
        case .project(let project):
            var keys = AssetKeys()
            (keys.kind, keys.project) = (.composition, project)
            return Asset(keys)
        }
    }
}

extension AssetFacts {
    /// The range of all of it. Throws for a still.
    fileprivate func whole(_ name: String) throws -> TimeRange {
        guard kind.isMoving, duration > .zero else {
            throw SplitreelError(
                .segmentRangeInvalid, operation: "inserting", subject: name, reason: "a still has no length of its own",
                hint: "give a range from 0 that is as long as it is to be shown")
        }
        return TimeRange(start: .zero, duration: duration)
    }
}
