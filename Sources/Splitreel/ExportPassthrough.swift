import Planning

extension ExportSession {
    /// Whether packets of sources are copied into a film where no edit touches their frames. A copy has the quality of
    /// its source, and costs as much as copying a file.
    public enum Passthrough: Sendable, Hashable, CaseIterable {
        /// They are, where the settings ask for nothing that a copy cannot give. All else is rendered.
        case auto
        /// Everything is rendered, so that the film has one set of parameters throughout.
        case never
        /// They are, and what is rendered is no more than the rest of groups of pictures at cuts. Otherwise the export
        /// throws `copyImpossible`, which names the first frames that would be rendered, and why.
        case require
    }
}

extension Passthrough {
    init(_ asked: ExportSession.Passthrough) {
        switch asked {
        case .auto: self = .auto
        case .never: self = .never
        case .require: self = .require
        }
    }
}
