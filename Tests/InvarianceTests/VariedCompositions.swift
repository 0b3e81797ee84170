import TestTools

/// Twelve compositions over real files; no part of any stands still, each trait is in two or more of them.
struct VariedComposition: Sendable {
    var name: String
    /// Names of the corpus by asset.
    var files: [String: String]
    var options: [String] = []
    /// The project's text, given the files' absolute paths.
    var project: @Sendable ([String: String]) -> String

    /// nil where a file of it is not there.
    func text() -> String? {
        var paths: [String: String] = [:]
        for (asset, name) in files {
            guard let path = SourceTree.corpusFile(name) else { return nil }
            paths[asset] = path
        }
        return project(paths)
    }

    static let all = mixedRates + layered + deep + turned + assorted

    private static let run = "video/os_run.mp4"
    private static let nasa = "video/tc_nasa_13013.mp4"

    /// Sizes and rates of all kinds, dissolves, speed changes, VFR.
    private static let mixedRates: [VariedComposition] = [
        VariedComposition(
            name: "dissolve of 29.97 and 25 Hz", files: ["a": run, "b": nasa, "s": "audio/fo_debian.wav"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0.5s", "3s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "2s"), Text.clip("b", "3.3s", "3s", at: "2s")),
                    Text.track(3, "audio", Text.clip("s", "0.1s", "5s", at: "0s")),
                    Text.track(4, "audio", Text.gap("0s", "1001/700"), Text.clip("b", "1s", "3s", at: "1001/700")),
                ], size: (480, 270), frame: "1001/30000",
                [
                    Text.instruction("0s", "2s", Text.layer(1, [0.675, 0, 0, 0.675, 0, 0])),
                    Text.instruction(
                        "2s", "1s",
                        Text.layer(1, [0.675, 0, 0, 0.675, 0, 0], more: Text.ramp("opacity", "2s", "1s", "1", "0")),
                        Text.layer(2, [1.5, 0, 0, 1.5, 0, 0])),
                    Text.instruction("3s", "2s", Text.layer(2, [1.5, 0, 0, 1.5, 0, 0])),
                ], inputs: [Text.volume(3, "1s", "3s", 1, 0.2), Text.volume(4, "2s", "1s", 0, 0.8)])
        },
        VariedComposition(
            name: "speed changes at 24 Hz", files: ["a": run, "b": nasa, "s": "audio/fo_debian.wav"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(
                        1, "video", Text.clip("a", "0s", "4s", at: "0s", for: "2.5s"),
                        Text.clip("b", "1s", "1s", at: "2.5s", for: "2s")),
                    Text.track(2, "audio", Text.clip("s", "0s", "5s", at: "0s", for: "4s")),
                    Text.track(3, "audio", Text.gap("0s", "2.5s"), Text.clip("b", "1s", "1s", at: "2.5s", for: "2s")),
                ], size: (480, 270), frame: "1/24",
                [
                    Text.instruction("0s", "2.5s", Text.layer(1, [0.6, 0, 0, 0.6, 10, 12])),
                    Text.instruction(
                        "2.5s", "2s", Text.layer(1, [1, 0, 0, 1, 0, 0], to: [1.5, 0, 0, 1.5, 0, 0], "2.5s", "2s")),
                ])
        },
        VariedComposition(
            name: "variable frame rates at 50 Hz",
            files: ["a": "video/mp_count-video.mp4", "b": "video/st_awesome movie.mov"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "3.1s", "2s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "1.5s"), Text.clip("b", "1.7s", "1.7s", at: "1.5s")),
                    Text.track(3, "audio", Text.clip("b", "0.3s", "3.2s", at: "0s", track: 1)),
                ], size: (320, 240), frame: "1/50",
                [
                    Text.instruction("0s", "1.5s", Text.layer(1, [0.5, 0, 0, 0.5, 0, 0])),
                    Text.instruction(
                        "1.5s", "0.5s",
                        Text.layer(2, [0.5, 0, 0, 0.5, 0, 0], more: Text.ramp("opacity", "1.5s", "0.5s", "0", "1")),
                        Text.layer(1, [0.5, 0, 0, 0.5, 0, 0])),
                    Text.instruction("2s", "1.2s", Text.layer(2, [0.5, 0, 0, 0.5, 0, 0])),
                ])
        },
    ]

    /// Three layers at once.
    private static let layered: [VariedComposition] = [
        VariedComposition(
            name: "picture in picture under a still",
            files: [
                "a": "video/ax_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4", "b": nasa, "i": "image/tc_rgba.png",
                "s": "video/ax_preroll-5s.mp4",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0.2s", "3.5s", at: "0s")),
                    Text.track(2, "video", Text.clip("b", "5s", "3.5s", at: "0s", track: 4)),
                    Text.track(3, "video", Text.still("i", at: "0s", for: "3.5s")),
                    Text.track(4, "audio", Text.clip("s", "1.25s", "3.5s", at: "0s")),
                ], size: (426, 240), frame: "1/25",
                [
                    Text.instruction(
                        "0s", "3.5s",
                        Text.layer(
                            3, [0.1, 0, 0, 0.1, 0, 0], to: [0.2, 0.05, -0.05, 0.2, 150, 90], "0s", "3.5s",
                            more: Text.ramp("opacity", "0.5s", "2s", "0.2", "0.9")),
                        Text.layer(2, [0.4, 0, 0, 0.4, 8.5, 8.25], to: [0.4, 0, 0, 0.4, 220, 120], "1s", "2s"),
                        Text.layer(1, [0.375, 0, 0, 0.375, 0, 0]))
                ])
        },
        VariedComposition(
            name: "three layers of VP9 and VP8 at 23.976 Hz",
            files: [
                "a": "video/ax_bbb_642x642_768kbps_30fps_vp9.webm", "b": "video/ax_bear-vp9.webm",
                "c": "video/mo_transparent.webm", "s": "audio/ax_bear.opus",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0s", "2.5s", at: "0s")),
                    Text.track(2, "video", Text.clip("b", "0.1s", "2.5s", at: "0s")),
                    Text.track(3, "video", Text.clip("c", "1s", "2.5s", at: "0s")),
                    Text.track(4, "audio", Text.clip("s", "0.2s", "2.5s", at: "0s")),
                ], size: (360, 240), frame: "1001/24000",
                [
                    Text.instruction(
                        "0s", "2.5s",
                        Text.layer(3, [0.5, 0, 0, 0.5, 240, 20], more: ",\"opacity\":[{\"at\":\"0s\",\"value\":0.7}]"),
                        Text.layer(
                            2, [0.7, 0, 0, 0.7, 20, 40],
                            more: Text.ramp("crop", "0s", "2s", "[0,0,320,240]", "[80,60,100,90]")),
                        Text.layer(1, [0.561, 0, 0, 0.374, 0, 0]))
                ], inputs: [Text.volume(4, "0s", "2s", 0.1, 1.2)])
        },
        VariedComposition(
            name: "three layers at 59.94 Hz",
            files: [
                "a": nasa, "b": "video/mo_transparent.webm", "i": "image/tc_rgba.png",
                "s": "audio/mb_multiple-aac-tracks.mp4",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "7s", "2.2s", at: "0s", track: 4)),
                    Text.track(2, "video", Text.clip("b", "0s", "2.2s", at: "0s")),
                    Text.track(3, "video", Text.still("i", at: "0s", for: "2.2s")),
                    Text.track(4, "audio", Text.clip("s", "1s", "2.2s", at: "0s", track: 2)),
                ], size: (480, 270), frame: "1001/60000",
                [
                    Text.instruction(
                        "0s", "1.1s",
                        Text.layer(3, [0.12, 0, 0, 0.12, 300, 180], to: [0.12, 0, 0, 0.12, 10, 10], "0s", "1.1s"),
                        Text.layer(2, [1, 0, 0, 1, 140, 35], more: Text.ramp("opacity", "0s", "1s", "0.1", "0.6")),
                        Text.layer(1, [1, 0, 0, 1, 0, 0])),
                    Text.instruction(
                        "1.1s", "1.1s",
                        Text.layer(2, [1, 0, 0, 1, 140, 35], to: [0.5, 0.5, -0.5, 0.5, 200, 60], "1.1s", "1s"),
                        Text.layer(1, [1, 0, 0, 1, 0, 0])),
                ])
        },
    ]
}
