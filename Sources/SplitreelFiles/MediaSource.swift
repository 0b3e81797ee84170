package import Diagnostics

/// The bytes of one source, read by their places: the only way in which media, texts and fonts are read.
///
/// A program makes one of its own where bytes lie in a database, in an archive or behind a protocol of its own. It says
/// `identity` and `read(at:into:)`; all else has a default:
///
///     final class Clip: MediaSource {
///         let row: Row
///         var identity: SourceIdentity { SourceIdentity(byteCount: row.size, version: row.etag) }
///         func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
///             try row.read(from: place, into: buffer)
///         }
///     }
///
/// A source is one content: a reader that comes upon another one says so by `mediaChanged`. Any thread may read, and
/// several at once; reading blocks, on threads of the library. Whoever holds the source keeps it open until it is told
/// to rest.
public protocol MediaSource: AnyObject, Sendable {
    /// The name in errors, and the one whose extension helps to tell a format: a local file's path. A source of a
    /// program's own gets its name from the asset that holds it.
    var name: String { get }
    /// The identity at the time of opening: the length, and a text that another content does not have.
    var identity: SourceIdentity { get }
    /// Reads bytes from a place, 0 or more, on; answers their number, which may be smaller than the buffer's, and is 0
    /// only at the end and behind it. The buffer is valid during the call alone. An error that it throws fails what is
    /// read, and is told with the source's name.
    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// The identity that a source of this name has now. Throws where there is none any more.
    func identityNow() throws -> SourceIdentity
    /// Throws where what was read is not all of one content: `mediaChanged`, with the time of the change, where the
    /// source is another one by now; of a source that lies elsewhere also why bytes of it did not come.
    func checkUnchanged() throws
    /// Says at which places a reader will read next, so that a source that lies elsewhere has the bytes in time. A
    /// hint: nothing that is read depends on it.
    func expect(_ places: [Range<Int>])
    /// Lets go of descriptors and connections until the next read, which takes them up again.
    func rest()
}

extension MediaSource {
    public var name: String { "a source in memory" }
    public func identityNow() throws -> SourceIdentity { identity }
    public func expect(_ places: [Range<Int>]) {}
    public func rest() {}

    public func checkUnchanged() throws {
        guard let now = try? identityNow() else {
            throw sourceChanged(name, "the file is no longer there")
        }
        guard now != identity else { return }
        throw sourceChanged(name, "the file was changed at \(now.changeTime) while it was read")
    }
}

extension MediaSource {
    /// The number of bytes at the time of opening.
    package var byteCount: Int { identity.byteCount }

    /// The bytes from a place on, `count` of them or fewer at the end. Throws as `read(at:into:)` does.
    package func read(at place: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            filled = try read(at: place, filling: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Reads until the buffer is full or the source ends; answers the number of bytes.
    package func read(at place: Int, filling buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try read(at: place + done, into: rest)
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// The first bytes, `count` or fewer; empty where they cannot be read, since whoever reads on will be told why.
    package func head(_ count: Int) -> [UInt8] { (try? read(at: 0, count: min(count, byteCount))) ?? [] }
}

/// The error for a source that is no longer what it was.
package func sourceChanged(_ name: String, _ reason: String) -> SplitreelError {
    SplitreelError(
        .mediaChanged, operation: "reading", subject: name, reason: reason,
        hint: "render again once nothing writes to the file any more")
}
