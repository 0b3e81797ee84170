package import Rendering

/// A composition's frames and its sound as somebody else made them for a comparison; nil for what is made here.
package struct MadeElsewhere {
    package var frames: ComposedFrames?
    package var sound: SoundStream?

    package init(frames: ComposedFrames? = nil, sound: SoundStream? = nil) {
        self.frames = frames
        self.sound = sound
    }
}
