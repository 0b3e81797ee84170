import Diagnostics
import SplitreelCommands
import Testing

/// The words where a farm composes frames of a source that the client cannot open.
struct PictureSourceTests {
    @Test func theClientsOwnWayIsNamed() {
        func error(_ code: ErrorCode) -> SplitreelError {
            SplitreelError(code, operation: "GET", subject: "s3://films/a.mov", reason: "no", hint: "look")
        }
        for code in [ErrorCode.objectDenied, .credentialsUnusable, .storageUnreachable, .addressRefused] {
            let told = error(code).sayingWhoOpens
            #expect(told.code == code && told.hint.description.contains("this machine opens it as well"), "\(told)")
        }
        // One that is missing is missing for the coordinator too.
        #expect(error(.objectNotFound).sayingWhoOpens == error(.objectNotFound))
    }
}
