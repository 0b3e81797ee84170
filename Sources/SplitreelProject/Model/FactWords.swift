package import MediaFacts

// Words of the file whose types describe files of media, too.

extension Deinterlacing.Order: ProjectWord {}
extension TrackDisposition: ProjectWord {}
