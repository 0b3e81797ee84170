import Outputs

extension RenderPlan {
    /// The plan of one output as it would be with one of its sound streams alone; that stream's segment is held against
    /// it.
    package func view(ofSound index: Int) -> RenderPlan {
        guard output.furtherAudio != nil else { return self }
        var view = self
        view.output = output.hearing(sound: index)
        return view
    }
}
