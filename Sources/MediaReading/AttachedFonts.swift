internal import CFFmpeg
internal import Diagnostics
internal import Hashing
package import MediaFacts
package import SplitreelFiles

/// The fonts that a Matroska film brings as attachments, with one SHA-256 of all of them; other films have none.
///
/// Throws `mediaOverLimits` where there are too many of them, or too many bytes.
package func attachedFonts(_ source: any MediaSource) throws -> (fonts: [ScriptFile.Font], sum: String) {
    let demuxer = try Demuxer(source)
    var fonts: [ScriptFile.Font] = []
    var hash = SHA256Sum()
    var byteCount = 0
    for index in 0..<demuxer.streamCount where demuxer.type(index) == AVMEDIA_TYPE_ATTACHMENT {
        let parameters = demuxer.parameters(index)
        guard [AV_CODEC_ID_TTF, AV_CODEC_ID_OTF].contains(parameters.codec_id),
            let data = unsafe parameters.extradata, parameters.extradata_size > 0
        else { continue }
        let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size)))
        byteCount += bytes.count
        guard fonts.count < ScriptFile.mostFonts, byteCount <= DataFile.mostBytes else {
            throw SplitreelError(
                .mediaOverLimits, operation: "reading fonts", subject: source.name,
                reason: "it brings more than \(ScriptFile.mostFonts) fonts or \(DataFile.mostBytes >> 20) MiB of them")
        }
        hash.update(Array("\(bytes.count)\n".utf8) + bytes)
        fonts.append(ScriptFile.Font(name: "attached \(fonts.count + 1)", bytes: bytes))
    }
    return (fonts, hash.text)
}

/// The fonts that scripts are offered before the machine's own, from a script, a film or a font's own file.
package func suppliedFonts(_ source: any MediaSource) throws -> [ScriptFile.Font] {
    if mediaFormat(source) != nil { return try attachedFonts(source).fonts }
    let bytes = try readData(source).bytes
    let brought = ScriptFile(bytes).fonts
    return brought.isEmpty ? [ScriptFile.Font(name: source.name, bytes: bytes)] : brought
}
