import Diagnostics
import Foundation
import JSONText
import MediaTime
import Rendering
import SplitreelProject
import Validation

/// A picture of an effect with its default parameters: of test bars, or half-way from a checker to them.
struct EffectSample {
    let effect: EffectDescription

    /// Writes the picture, 640×360; 1 s after a transition of 2 s begins.
    func write(to path: String) throws {
        let project = try Project(parsing: Data(try text().utf8))
        try refuse(project)
        _ = try FrameGrabber(project: project, assets: [:], isOnGrid: true).write(
            at: Rational(1), to: path, fitting: nil)
    }

    private func refuse(_ project: Project) throws {
        guard let problem = project.validate(assets: [:]).first(where: { $0.severity == .error }) else { return }
        throw lack(problem.message)
    }

    private func lack(
        _ reason: String, hint: String = "`splitreel frame` shows it in a composition of your own"
    ) -> SplitreelError {
        SplitreelError(.usage, operation: "making a picture", subject: effect.id, reason: reason, hint: hint)
    }

    private func text() throws -> String {
        let choice = "{\"id\":\"\(effect.id)\",\"version\":\(effect.version),\"params\":{\(try parameters())}}"
        let checker = "{\"track\":1}"
        var first = checker
        var rest = ""
        var compositor = ""
        switch effect.kind {
        case .effect: first = "{\"track\":2,\"effects\":[\(choice)]}"
        case .transition: rest = ",\"effect\":\(choice)"
        case .blend: first = "{\"track\":1,\"blend\":\"\(effect.id.replacing("blend.", with: ""))\"}"
        case .tap: throw lack("a tap makes sound", hint: "`splitreel waveform` shows a composition's")
        case .compositor: compositor = "\"compositor\":\(choice),"
        }
        return """
            {"format":"splitreel/1","assets":{"bars":{"kind":"bars"},"checker":{"kind":"checker"},
            "gradient":{"kind":"gradient","gradient":{"from":[0,0],"to":[1,1],"stops":[
            {"at":0,"color":[0,0,0,1]},{"at":1,"color":[1,1,1,1]}]}}},"composition":{"tracks":[
            {"id":1,"type":"video","segments":[{"asset":"checker","target":["0s","2s"]}]},
            {"id":2,"type":"video","segments":[{"asset":"bars","target":["0s","2s"]}]}]},
            "video":{"renderSize":[640,360],"frameDuration":"1/25",\(compositor)
            "instructions":[{"range":["0s","2s"],"layers":[\(first),{"track":2}]\(rest)}]}}
            """
    }

    /// The parameters that must be said, as JSON.
    private func parameters() throws -> String {
        try effect.parameters.compactMap { parameter in
            switch parameter.kind {
            case .picture(isRequired: true): "\"\(parameter.name)\":\"gradient\""
            case .track(isRequired: true): "\"\(parameter.name)\":1"
            case .file(let kind): throw lack("it needs an asset of kind \(kind.rawValue)")
            default: nil
            }
        }.joined(separator: ",")
    }
}
