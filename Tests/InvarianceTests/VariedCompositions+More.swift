import Foundation
import TestTools

extension VariedComposition {
    /// Ten bits, with and without high dynamic range.
    static let deep: [VariedComposition] = [
        VariedComposition(
            name: "high dynamic range",
            files: [
                "a": "video/tc_testsrc2_hdr.mp4", "b": "video/tc_bt2020_10bit.mp4",
                "s": "audio/sf_alarm-clock-elapsed.oga",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0s", "2s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "1s"), Text.clip("b", "0s", "2s", at: "1s")),
                    Text.track(3, "audio", Text.clip("s", "0.5s", "3s", at: "0s")),
                ], size: (320, 180), frame: "1/30",
                [
                    Text.instruction("0s", "1s", Text.layer(1, [1, 0, 0, 1, 0, 0])),
                    Text.instruction(
                        "1s", "1s",
                        Text.layer(1, [1, 0, 0, 1, 0, 0], more: Text.ramp("opacity", "1s", "1s", "1", "0")),
                        Text.layer(2, [1, 0, 0, 0.75, 0, 0])),
                    Text.instruction("2s", "1s", Text.layer(2, [1, 0, 0, 0.75, 0, 0])),
                ])
        },
        VariedComposition(
            name: "ten bits in 4:2:2",
            files: [
                "a": "video/tc_h264_10bits.mp4", "b": "video/tc_h265_10bits.mp4", "s": "audio/ax_bear.flac",
            ], options: ["--pixel-format", "yuv422p10le"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(
                        1, "video", Text.clip("a", "0s", "0.9s", at: "0s", for: "1.8s"),
                        Text.clip("b", "0s", "0.9s", at: "1.8s")),
                    Text.track(2, "video", Text.gap("0s", "1s"), Text.clip("b", "0.1s", "0.8s", at: "1s", for: "1.6s")),
                    Text.track(3, "audio", Text.clip("s", "0s", "2.7s", at: "0s")),
                ], size: (240, 200), frame: "1/30",
                [
                    Text.instruction("0s", "1s", Text.layer(1, [1.2, 0, 0, 1, 0, 0])),
                    Text.instruction(
                        "1s", "1.7s",
                        Text.layer(
                            2, [0.5, 0, 0, 0.5, 60, 40], to: [0.8, 0, 0, 0.8, 20, 30], "1s", "1.5s",
                            more: Text.ramp("opacity", "1s", "1s", "0.3", "1")),
                        Text.layer(1, [1.2, 0, 0, 1, 0, 0])),
                ])
        },
    ]

    /// Files that players turn.
    static let turned: [VariedComposition] = [
        VariedComposition(
            name: "upside down, without instructions",
            files: ["a": "derived/o_rotate180_remux_run.mp4", "b": run2, "s": "audio/ax_bear.flac"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(
                        1, "video", Text.clip("a", "1s", "1.7s", at: "0s"), Text.gap("1.7s", "1s")),
                    Text.track(2, "video", Text.gap("0s", "1.2s"), Text.clip("b", "0s", "2s", at: "1.2s")),
                    Text.track(3, "audio", Text.clip("s", "0s", "2.7s", at: "0s")),
                ], size: (480, 270), frame: nil)
        },
        VariedComposition(
            name: "turning slowly",
            files: [
                "a": "derived/o_rotate180_remux_run.mp4", "b": "video/tc_nasa_13013_rotated.mp4",
                "s": "audio/ft_sample.m4a",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "0.5s", "3s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "1s"), Text.clip("b", "0s", "0.5s", at: "1s", for: "2s")),
                    Text.track(3, "audio", Text.clip("s", "1s", "3s", at: "0s", for: "2.4s")),
                ], size: (480, 270), frame: "1001/30000",
                [
                    Text.instruction(
                        "0s", "1s",
                        Text.layer(1, [-0.6, 0, 0, -0.6, 432, 240], to: [0.4, 0.4, -0.4, 0.4, 200, 0], "0s", "3s")),
                    Text.instruction(
                        "1s", "2s", Text.layer(2, [0, 0.4, -0.4, 0, 300.5, 30]),
                        Text.layer(1, [-0.6, 0, 0, -0.6, 432, 240], to: [0.4, 0.4, -0.4, 0.4, 200, 0], "0s", "3s")),
                ])
        },
    ]

    private static let run2 = "video/os_run.mp4"

    /// Open GOP, edit lists, interlaced and old codecs.
    static let assorted: [VariedComposition] = [
        VariedComposition(
            name: "open GOP and edit lists",
            files: [
                "a": "derived/o_h264_opengop_city.mp4", "b": "video/ax_sample_sef_slow_motion.mp4",
                "e": "video/mb_edts.mp4", "s": "audio/so_ambi_choir.flac",
            ]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "1.3s", "2.5s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "1s"), Text.clip("b", "0.05s", "2s", at: "1s", for: "3s")),
                    Text.track(3, "audio", Text.gap("0s", "1s"), Text.clip("e", "3.3s", "3s", at: "1s")),
                    Text.track(4, "audio", Text.gap("0s", "1/3"), Text.clip("s", "0s", "1.5s", at: "1/3")),
                ], size: (480, 270), frame: "1/25",
                [
                    Text.instruction("0s", "1s", Text.layer(1, [0.667, 0, 0, 0.667, 0, 0])),
                    Text.instruction(
                        "1s", "1.5s",
                        Text.layer(
                            2, [1.5, 0, 0, 1.125, 0, 0],
                            more: Text.ramp("crop", "1s", "1.5s", "[0,0,0,240]", "[0,0,320,240]")),
                        Text.layer(1, [0.667, 0, 0, 0.667, 0, 0])),
                    Text.instruction("2.5s", "1.5s", Text.layer(2, [1.5, 0, 0, 1.125, 0, 0])),
                ], inputs: [Text.volume(4, "0.5s", "1s", 0.5, 0)])
        },
        VariedComposition(
            name: "interlaced MPEG-2 and MPEG-4 in 4:4:4",
            files: ["a": "video/il_bt601-525_480_interlaced_bff.mkv", "b": "video/ax_sample.avi"],
            options: ["--pixel-format", "yuv444p"]
        ) { paths in
            Text.project(
                paths,
                [
                    Text.track(1, "video", Text.clip("a", "2.2s", "2s", at: "0s")),
                    Text.track(2, "video", Text.gap("0s", "1.5s"), Text.clip("b", "0.4s", "3s", at: "1.5s", for: "2s")),
                    Text.track(3, "audio", Text.clip("a", "2.2s", "2s", at: "0s")),
                    Text.track(4, "audio", Text.gap("0s", "1.5s"), Text.clip("b", "0.4s", "3s", at: "1.5s", for: "2s")),
                ], size: (361, 201), frame: "1001/30000",
                [
                    Text.instruction("0s", "1.5s", Text.layer(1, [0.42, 0, 0, 0.42, 0, 0])),
                    Text.instruction(
                        "1.5s", "2s",
                        Text.layer(
                            2, [0.376, 0, 0, 0.376, 0, 25], more: Text.ramp("opacity", "1.5s", "0.5s", "0", "1")),
                        Text.layer(1, [0.42, 0, 0, 0.42, 0, 0])),
                ]
            )
            // The reference knows matrices but no primaries, which the film is tagged with.
            .replacingOccurrences(
                of: "interlaced_bff.mkv\"", with: "interlaced_bff.mkv\",\"color\":{\"primaries\":\"ITU_R_709_2\"}")
        },
    ]
}
