package import CFFmpeg
internal import Diagnostics
package import MediaFacts
package import MediaTime

/// All entries of a dictionary of tags, as many and as long as a film has them.
package func tags(of dictionary: OpaquePointer?) -> [String: String] {
    var tags: [String: String] = [:]
    var room = ReadLimits.tagBytes
    var last: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = unsafe av_dict_get(dictionary, "", last, AV_DICT_IGNORE_SUFFIX) {
        let name = unsafe String(cString: next.pointee.key)
        let value = unsafe String(cString: next.pointee.value)
        room -= name.utf8.count + value.utf8.count
        guard room >= 0 else { break }
        tags[name] = value
        unsafe last = next
    }
    return tags
}

/// The tags and the chapters of an open film; `zero` answers that of asset time, in seconds of the film's own time, and
/// is asked where there are chapters. Chapters at times that no film has are left out.
package func fileTags(
    of film: UnsafeMutablePointer<AVFormatContext>, zero: () throws -> Rational
) rethrows -> FileTags {
    var found = unsafe FileTags(file: tags(of: film.pointee.metadata))
    for index in unsafe 0..<Int(film.pointee.nb_streams) {
        guard let stream = unsafe film.pointee.streams[index] else { continue }
        let own = unsafe tags(of: stream.pointee.metadata)
        if !own.isEmpty { found.tracks[index + 1] = own }
    }
    guard unsafe film.pointee.nb_chapters > 0 else { return found }
    let origin = try zero()
    for index in unsafe 0..<min(Int(film.pointee.nb_chapters), ReadLimits.chapters) {
        guard let chapter = unsafe film.pointee.chapters?[index]?.pointee, unsafe ReadLimits.isClock(chapter.time_base),
            unsafe ReadLimits.isTime(chapter.start, chapter.time_base),
            unsafe ReadLimits.isTime(chapter.end, chapter.time_base)
        else { continue }
        let own = unsafe tags(of: chapter.metadata)
        let start = unsafe Rational(ticks: chapter.start, chapter.time_base)
        let end = unsafe max(start, Rational(ticks: chapter.end, chapter.time_base))
        found.chapters.append(
            FileChapter(
                title: own["title"], range: TimeRange(from: start - origin, to: end - origin), tags: own))
    }
    return found
}
