/// Pieces of a project file as text.
package enum Text {
    package static func clip(
        _ asset: String, _ start: String, _ length: String, at target: String, for duration: String? = nil,
        track: Int? = nil, more: String = ""
    ) -> String {
        """
        {"asset":"\(asset)","source":["\(start)","\(length)"],"target":["\(target)","\(duration ?? length)"]\
        \(track.map { ",\"track\":\($0)" } ?? "")\(duration == nil ? "" : ",\"pitch\":\"varispeed\"")\(more)}
        """
    }

    package static func still(_ asset: String, at target: String, for duration: String) -> String {
        "{\"asset\":\"\(asset)\",\"target\":[\"\(target)\",\"\(duration)\"]}"
    }

    package static func gap(_ target: String, _ duration: String) -> String {
        "{\"target\":[\"\(target)\",\"\(duration)\"]}"
    }

    package static func track(_ id: Int, _ type: String, _ segments: String...) -> String {
        "{\"id\":\(id),\"type\":\"\(type)\",\"segments\":[\(segments.joined(separator: ","))]}"
    }

    /// A layer that stands still.
    package static func layer(_ track: Int, _ affine: [Double], more: String = "") -> String {
        "{\"track\":\(track),\"transform\":[{\"at\":\"0s\",\"value\":\(affine)}]\(more)}"
    }

    /// A layer that moves from one map to another.
    package static func layer(
        _ track: Int, _ from: [Double], to: [Double], _ start: String, _ length: String, more: String = ""
    )
        -> String
    {
        """
        {"track":\(track),"transform":[{"range":["\(start)","\(length)"],"from":\(from),"to":\(to)}]\(more)}
        """
    }

    package static func ramp(_ key: String, _ start: String, _ length: String, _ from: String, _ to: String) -> String {
        ",\"\(key)\":[{\"range\":[\"\(start)\",\"\(length)\"],\"from\":\(from),\"to\":\(to)}]"
    }

    package static func instruction(_ start: String, _ length: String, _ layers: String...) -> String {
        "{\"range\":[\"\(start)\",\"\(length)\"],\"layers\":[\(layers.joined(separator: ","))]}"
    }

    package static func volume(_ track: Int, _ start: String, _ length: String, _ from: Double, _ to: Double) -> String
    {
        "{\"track\":\(track),\"volume\":[{\"range\":[\"\(start)\",\"\(length)\"],\"from\":\(from),\"to\":\(to)}]}"
    }

    package static func project(
        _ assets: [String: String], _ tracks: [String], size: (Int, Int), frame: String?, _ instructions: [String] = [],
        inputs: [String] = []
    ) -> String {
        let listed = assets.sorted { $0.key < $1.key }.map { "\"\($0.key)\":{\"url\":\"\($0.value)\"}" }
        let frame = frame.map { ",\"frameDuration\":\"\($0)\"" } ?? ""
        let given = instructions.isEmpty ? "" : ",\"instructions\":[\(instructions.joined(separator: ",\n"))]"
        return """
            {"format":"splitreel/1","assets":{\(listed.joined(separator: ","))},
            "composition":{"tracks":[
            \(tracks.joined(separator: ",\n"))]},
            "video":{"renderSize":[\(size.0),\(size.1)]\(frame)\(given)},
            "audio":{"inputs":[\(inputs.joined(separator: ","))]}}
            """
    }
}
