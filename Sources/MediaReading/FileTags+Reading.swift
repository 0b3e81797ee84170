internal import Libav
package import MediaFacts
package import SplitreelFiles

/// The tags and the chapters of a media file; none of a picture that libav does not read. Reads every packet once where
/// the file has chapters and was not probed yet in this process: their times count from asset time 0.
///
/// Throws as `probe` does.
package func readTags(_ source: any MediaSource) throws -> FileTags {
    if PictureFiles.kind(of: source) != nil { return FileTags() }
    let demuxer = try Demuxer(source)
    return try unsafe fileTags(of: demuxer.context) { try FileIndex.of(source).origin }
}
