import Diagnostics
import Foundation
import ObjectStorage
import TestTools
import Testing

@Suite("Credentials")
struct CredentialTests {
    private static let files = (
        credentials: """
        # the farm's
        [default]
        aws_access_key_id = DEFAULT
        aws_secret_access_key=default/secret=
        [ render ]
        AWS_ACCESS_KEY_ID = RENDER
        aws_secret_access_key = render secret
        [half]
        aws_access_key_id = HALF
        [session]
        aws_access_key_id = SESSION
        aws_secret_access_key = s
        aws_session_token = token
        """,
        config: """
        [default]
        region = eu-central-1
        s3 =
            addressing_style = path
            region = nonsense
        [profile session]
        region = ap-south-1
        [profile "quoted"]
        aws_access_key_id = QUOTED
        aws_secret_access_key = q
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        source_profile = default
        """
    )

    private func home(_ folder: TestFolder) throws -> [String: String] {
        _ = try folder.folder(".aws")
        _ = try folder.write(Self.files.credentials, to: ".aws/credentials")
        _ = try folder.write(Self.files.config, to: ".aws/config")
        return ["HOME": folder.path]
    }

    @Test func profilesAreRead() throws {
        let folder = try TestFolder()
        let home = try home(folder)
        func source(_ profile: String) -> CredentialSource {
            CredentialSource(environment: home.merging(["AWS_PROFILE": profile]) { $1 })
        }
        let standard = CredentialSource(environment: home)
        #expect(try standard.current() == Credentials(accessKey: "DEFAULT", secret: "default/secret="))
        #expect(try standard.region() == "eu-central-1")
        #expect(
            try source("session").current() == Credentials(accessKey: "SESSION", secret: "s", sessionToken: "token"))
        #expect(try source("session").region() == "ap-south-1")
        #expect(try source("quoted").current()?.accessKey == "QUOTED")
        for (profile, word) in [
            ("half", "aws_secret_access_key"), ("role", "role_arn"), ("none", "no file"), ("render", "spaces"),
        ] {
            let error = #expect(throws: SplitreelError.self) { try source(profile).current() }
            #expect(error?.code == .credentialsUnusable && error?.reason.contains(word) == true, "\(profile)")
            #expect(error?.description.contains("render secret") == false)
        }
    }

    @Test func theEnvironmentGoesFirst() throws {
        let folder = try TestFolder()
        var environment = try home(folder)
        environment["AWS_ACCESS_KEY_ID"] = "ENV"
        #expect(throws: SplitreelError.self) { try CredentialSource(environment: environment).current() }
        environment["AWS_SECRET_ACCESS_KEY"] = "secret"
        environment["AWS_DEFAULT_REGION"] = "us-west-2"
        let source = CredentialSource(environment: environment)
        #expect(try source.current() == Credentials(accessKey: "ENV", secret: "secret"))
        #expect(try source.region() == "us-west-2")
        environment["AWS_REGION"] = "us-west-1"
        environment["AWS_SESSION_TOKEN"] = "token"
        #expect(try CredentialSource(environment: environment).region() == "us-west-1")
        #expect(try CredentialSource(environment: environment).current()?.sessionToken == "token")
    }

    @Test func filesMayLieElsewhereOrBeMissing() throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.files.credentials, to: "keys")
        let named = CredentialSource(environment: ["HOME": "/none", "AWS_SHARED_CREDENTIALS_FILE": path])
        #expect(try named.current()?.accessKey == "DEFAULT" && named.region() == nil)
        // A service of systemd or in a container may have no home folder.
        let homeless = CredentialSource(environment: ["AWS_SHARED_CREDENTIALS_FILE": path])
        #expect(try homeless.current()?.accessKey == "DEFAULT")
        let config = try folder.write(Self.files.config, to: "settings")
        #expect(try CredentialSource(environment: ["AWS_CONFIG_FILE": config]).region() == "eu-central-1")
        let lost = #expect(throws: SplitreelError.self) {
            try CredentialSource(environment: ["AWS_PROFILE": "x"]).current()
        }
        #expect(lost?.code == .credentialsUnusable)
        #expect(try CredentialSource(environment: ["HOME": folder.path]).current() == nil)
        #expect(try CredentialSource.anonymous.current() == nil)
    }

    @Test func changedFilesAreReadAgain() throws {
        let folder = try TestFolder()
        let source = CredentialSource(environment: try home(folder))
        #expect(try source.current()?.accessKey == "DEFAULT")
        _ = try folder.write(
            "[default]\naws_access_key_id = FRESH\naws_secret_access_key = x\n", to: ".aws/credentials")
        #expect(try source.current()?.accessKey == "FRESH")
    }

    @Test func textsShowNothing() {
        let credentials = Credentials(accessKey: "hushkey", secret: "hushsecret", sessionToken: "hushtoken")
        var dumped = ""
        dump([credentials, credentials], to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\([credentials])", dumped] {
            #expect(!text.contains("hush"), "\(text)")
        }
    }

    @Test func theEnvironmentTellsTheEndpoint() {
        let both = ["AWS_ENDPOINT_URL": "https://a", "AWS_ENDPOINT_URL_S3": "https://b", "AWS_CA_BUNDLE": "/c"]
        #expect(RemoteSettings(environment: both).endpoint == "https://b")
        #expect(RemoteSettings(environment: both).certificates == "/c")
        #expect(RemoteSettings(endpoint: "https://d", environment: both).endpoint == "https://d")
        #expect(RemoteSettings(environment: ["AWS_ENDPOINT_URL": "https://a"]).endpoint == "https://a")
        #expect(RemoteSettings(environment: [:]).endpoint == nil)
    }
}
