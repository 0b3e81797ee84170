import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The manifests of deploy/kubernetes against the schemas of some releases of Kubernetes and against the program.
    /// `make image` renders a film with the pods that they describe.
    @Suite struct KubernetesTests {
        @Test("the manifests are valid, and each command line in them is one of the program's")
        func manifests() throws {
            let folder = try TestFolder("kubernetes")
            let program = try Splitreel(in: folder)
            let root = try #require(SourceTree.root())
            let script = root + "/Tests/clusters/kubernetes/run.sh"
            let check = try Tool("/bin/bash", [script, program.path], in: folder).finish(seconds: 120)
            #expect(check.status == 0, "\(check)")
            for overlay in ["base", "overlays/standing-farm", "overlays/one-film"] {
                #expect(check.text.contains("\(overlay): "), "\(check.text)")
            }
        }
    }
}
