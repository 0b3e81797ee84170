internal import CFFmpeg
internal import Libav
internal import MediaReading
internal import Outputs
internal import Pictures

extension FilmVideoTrack {
    /// Adds the stream of the film's cover, which MP4 keeps among its metadata and Matroska as an attachment; returns
    /// its place in the file.
    func addPoster(to file: OutputFile, _ container: Container) throws -> Int {
        if container.isMatroska { return try MatroskaCover.keepRoom(in: file) }
        let size = settings.posterSize
        return try file.addStream { stream, parameters in
            stream.time_base = AVRational(num: 1, den: 90_000)
            stream.disposition = AV_DISPOSITION_ATTACHED_PIC
            parameters.codec_type = AVMEDIA_TYPE_VIDEO
            parameters.codec_id = AV_CODEC_ID_MJPEG
            (parameters.width, parameters.height) = (Int32(size.width), Int32(size.height))
        }
    }
}
