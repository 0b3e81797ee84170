import Splitreel

/// CLIP, SECONDS, FILM: the frame of a time stands in front of the clip for a second, as its cover.
func cover(_ files: [String]) async throws {
    let clip = MediaAsset(files[0])
    guard let time = MediaTime(text: files[1] + "s") else { throw Fault("\(files[1]) is no time") }
    var project = Project()
    let video = project.composition.addTrack(.video)
    try await project.insert(TimeRange(start: time, duration: MediaTime(1, 1000)), of: clip, into: video)
    try project.composition.scale(TimeRange(start: .zero, duration: project.duration), to: .seconds(1))
    try await project.insert(of: clip)
    try await ExportSession(project).export(to: files[2])
}

/// PICTURE…, FILM: each picture for half a second.
func slideshow(_ files: [String]) async throws {
    var project = Project()
    for file in files.dropLast() {
        try await project.insert(TimeRange(start: .zero, duration: MediaTime(1, 2)), of: MediaAsset(file))
    }
    project.video = VideoComposition(frameDuration: MediaTime(1, 10))
    try await ExportSession(project).export(to: files[files.count - 1])
}

/// GIF, FILM: the GIF twice.
func gif(_ files: [String]) async throws {
    var project = Project()
    for _ in 0..<2 { try await project.insert(of: MediaAsset(files[0])) }
    try await ExportSession(project).export(to: files[1])
}

/// PICTURE, MOVIE, FILM: a live photo, of which the still is shown for a second, and then the movie is played.
func livePhoto(_ files: [String]) async throws {
    let length = try await MediaAsset(files[1]).load(.duration)
    var project = Project(assets: ["live": .livePhoto(files[0], movie: files[1])])
    let movie = TimeRange(start: .zero, duration: length)
    let video = project.composition.addTrack(.video)
    try project.composition.edit(video) {
        $0.segments = [
            TrackSegment("live", target: TimeRange(start: .zero, duration: .seconds(1))),
            TrackSegment("live", source: movie, at: .seconds(1)),
        ]
    }
    try await ExportSession(project).export(to: files[2])
}
