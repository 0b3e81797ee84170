import Confinement
import Diagnostics
import LocalFarm
import Logging
import SplitreelCommands
import Testing

@Suite("The sandbox of services")
struct ServiceSandboxTests {
    private let none = SandboxSupport(landlock: nil, hasFilter: false)
    private let old = SandboxSupport(landlock: nil, hasFilter: true)
    private let whole = SandboxSupport(landlock: 7, hasFilter: true)

    @Test func offLoopbackItIsAMustUnlessSomebodySpeaks() throws {
        let open = "tcp://0.0.0.0:7733"
        let error = #expect(throws: SplitreelError.self) {
            try ServiceSandbox(isWanted: true, support: none).require(for: open, "listening")
        }
        #expect(error?.code == .refused && error?.subject == "tcp://0.0.0.0:7733")
        #expect(error?.inOptions.hint.description.contains("--no-sandbox") == true)
        try ServiceSandbox(isWanted: false, support: none).require(for: open, "listening")
        for support in [old, whole] {
            try ServiceSandbox(isWanted: true, support: support).require(for: open, "listening")
        }
        for local in ["tcp://127.0.0.1:7733", "tcp://[::1]:7733", "ipc:///run/splitreel/control"] {
            try ServiceSandbox(isWanted: true, support: none).require(for: local, "listening")
        }
    }

    @Test func whatIsMissingIsTold() {
        #expect(ServiceSandbox(isWanted: true, support: whole).lack == nil)
        #expect(ServiceSandbox(isWanted: true, support: old).lack?.description.contains("no Landlock") == true)
        #expect(ServiceSandbox(isWanted: true, support: none).lack?.description.contains("neither") == true)
        #expect(ServiceSandbox(isWanted: false, support: whole).lack?.description.contains("switched off") == true)
    }
}
