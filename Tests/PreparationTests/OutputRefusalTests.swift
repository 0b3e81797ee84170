import Diagnostics
import Foundation
import JSONText
import MediaFacts
import Preparation
import SplitreelProject
import TestTools
import Testing
import Validation

/// Outputs of a file that cannot be: told by a word before anything is rendered. EndToEndTests have some of them said
/// by the commands.
@Suite("Outputs that cannot be") struct OutputRefusalTests {
    /// A film of two seconds with sound, of which only the facts are needed.
    private static let source = Result {
        let fixture = try PreparationFixture("outputs")
        let path = fixture.folder.file("source.mkv")
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=24:d=2", "-f", "lavfi", "-i", "sine=r=48000:d=2", "-c:v", "ffv1",
            "-c:a", "pcm_s16le", path,
        ])
        let project = try PreparationFixture.project(text(path, ""))
        return (path: path, assets: probeAssets(of: project).assets)
    }

    private static func text(_ path: String, _ outputs: String) -> String {
        """
        {"format":"splitreel/1","assets":{"a":{"url":"\(path)"}},
        "composition":{"tracks":[
        {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","2s"],"target":["0s","2s"]}]},
        {"id":2,"type":"audio","segments":[{"asset":"a","source":["0s","2s"],"target":["0s","2s"]}]}]},
        "video":{"renderSize":[160,96],"frameDuration":"1/24"},"outputs":[\(outputs)]}
        """
    }

    /// As `validate` looks for them: in the form, in what the files are, in what the outputs would be.
    private static func problems(_ outputs: String) throws -> [Problem] {
        let source = try source.get()
        let (parsed, form) = Project.parse(Data(text(source.path, outputs).utf8))
        guard let project = parsed?.resolvingURLs(against: "/films") else { return form }
        let all = form + project.furtherProblems(than: form, assets: source.assets)
        if all.contains(where: { $0.severity == .error }) { return all }
        return all + outputProblems(of: project, assets: source.assets)
    }

    @Test func whatCanBeIsNot() throws {
        let found = try Self.problems(#"{"url":"f.mkv"},{"type":"images","url":"s-%d.png","times":["1s"]}"#)
        #expect(!found.contains { $0.severity == .error }, "\(found)")
    }

    @Test(arguments: [
        (#"{"type":"images","url":"s-%d.png","times":["2s"]}"#, "times"),
        (#"{"type":"images","url":"s-%d.png","times":["-1s"]}"#, "times"),
        (#"{"type":"images","url":"s.png","times":["1s","0s"]}"#, "pattern"),
        (#"{"type":"images","url":"s.mp4","times":["1s"]}"#, "images"),
        (#"{"type":"images","url":"s-%d.png","times":["1s"],"maximumSize":[0,9]}"#, "maximumSize"),
        (#"{"type":"images","url":"s-%d.png","times":["1s"],"toleranceAfter":"-1s"}"#, "toleranceAfter"),
        (#"{"type":"waveform","url":"w.png"}"#, ".json or .dat"),
        (#"{"type":"waveform","url":"w.json","samplesPerBucket":0}"#, "samplesPerBucket"),
        (#"{"type":"waveform","url":"w.json","fileLengthLimit":1000000}"#, "fileLengthLimit"),
        (#"{"type":"images","url":"s.wav","times":["1s"]}"#, "images"),
        (#"{"type":"images","url":"s.mp4"}"#, "images"),
        (#"{"type":"images","url":"s.mov","times":["1s"],"videoSettings":{"codec":"ffv1"}}"#, "images"),
        (#"{"url":"f.m3u8","coverFrames":5,"posterTime":"1s"}"#, "stream"),
        (#"{"url":"f.mp4","coverFrames":5}"#, "posterTime"),
        (#"{"url":"f.mp4","coverFrames":251,"posterTime":"1s"}"#, "coverFrames"),
        (#"{"url":"f.mp4","coverFrames":0,"posterTime":"1s"}"#, "coverFrames"),
        (#"{"url":"f.m4a","coverFrames":5,"posterTime":"1s"}"#, "no picture"),
        (#"{"url":"f.mkv","coverFrames":5,"posterTime":"2s"}"#, "does not show that time"),
        (#"{"url":"still-%d.png","times":["0s"]}"#, #""type": "images""#),
        (#"{"url":"f.mkv","maximumSize":[64,36]}"#, "maximumSize"),
        (#"{"url":"f.mkv","samplesPerBucket":64}"#, #""type": "waveform""#),
        (#"{"type":"images","url":"s-%d.png","times":["1s"],"range":["0s","1s"]}"#, "which moments"),
        (#"{"type":"images","url":"s-%d.png","times":["1s"],"coverFrames":3,"posterTime":"0s"}"#, "coverFrames"),
        (#"{"type":"images","url":"s-%d.png","toleranceBefore":"1s"}"#, "`times`"),
        (#"{"type":"waveform","url":"w.json","fileType":"mp3"}"#, "fileType"),
        (
            #"{"url":"f.m3u8","renditions":[{"size":[64,36],"videoSettings":{"profile":"main"}}]}"#,
            "renditions[0].videoSettings.profile"
        ),
        (#"{"url":"f.m3u8","renditions":[{"videoSettings":{"crf":99}}]}"#, "renditions[0].videoSettings.crf"),
        (#"{"url":"f.m3u8","renditions":[{"size":[65,37]}]}"#, "renditions[0].size"),
        (#"{"url":"f.mkv","audioSettings":{"codec":"none","channels":2}}"#, "audioSettings.channels"),
        (#"{"url":"f.gif","audioTracks":[{"channels":2}]}"#, "audioTracks"),
        (#"{"url":"s.m3u8"},{"url":"s.mpd"}"#, "goes to the same file"),
        (#"{"url":"s-%d.png"},{"url":"s-%1d.png"}"#, "goes to the same file"),
        (#"{"url":"s-%d.png"},{"url":"s-%02d.png","startNumber":12}"#, "goes to the same file"),
        (#"{"url":"s-1%d.png"},{"url":"s-%d.png"}"#, "goes to the same file"),
        (#"{"url":"s-%02d.png"},{"url":"s-0%d.png"}"#, "goes to the same file"),
        (#"{"url":"s-%d1.png"},{"url":"s-1%d.png"}"#, "goes to the same file"),
        (#"{"url":"s-%d12.png"},{"url":"s-3%d.png"}"#, "goes to the same file"),
        (#"{"url":"f.mp4","preset":"broadcast"}"#, "outputs[0].preset"),
        (#"{"url":"s-%d.png"},{"type":"images","url":"s-3.png","times":["0s"]}"#, "goes to the same file"),
        (#"{"url":"f.mp4","videoSettings":{"codec":"ffv1"}}"#, "outputs[0].videoSettings.codec"),
        (#"{"url":"f.mp4","audioSettings":{"codec":"flac"}}"#, "outputs[0].audioSettings.codec"),
        (#"{"url":"f.mp4","size":[0,9]}"#, "outputs[0].size"),
        (#"{"url":"f.mp4","size":[65,37]}"#, "outputs[0].size"),
        (#"{"url":"f.mp4","frameDuration":"0/1"}"#, "outputs[0].frameDuration"),
        (
            #"{"url":"f.mp4","videoSettings":{"codec":"mpeg2"},"frameDuration":"1/17"}"#,
            #"`frameDuration: "1001/24000", "1/24""#
        ),
        (#"{"url":"f.gif","frameDuration":"1/60"}"#, "outputs[0].frameDuration"),
        (#"{"type":"images","url":"s.png","times":["0s"],"size":[64,36]}"#, "maximumSize"),
        (#"{"type":"waveform","url":"w.json","size":[64,36]}"#, "outputs[0].size"),
        (#"{"url":"f.xyz"}"#, "outputs[0].url"), (#"{"url":"f"}"#, "outputs[0].url"),
        (#"{"url":"f.flac","fileLengthLimit":9}"#, "fileLengthLimit"),
        (#"{"url":"f.flac","audioSettings":{"sampleRate":100001}}"#, "tells rates"),
        (#"{"url":"f.mp4","videoSettings":{"level":"3","bitRate":100000000}}"#, "bitRate"),
        (
            #"{"url":"f.mp4","videoSettings":{"maximumBitRate":2000000,"bufferSize":350000}}"#, "bufferSize"
        ),
    ])
    func areRefused(outputs: String, word: String) throws {
        let errors = try Self.problems(outputs).filter { $0.severity == .error }
        #expect(errors.contains { "\($0.path) \($0.message) \($0.hint)".contains(word) }, "\(errors)")
    }
}
