extension ErrorCode {
    /// The code of the error `object not found`.
    public static let objectNotFound = ErrorCode(20401)
    /// The code of the error `object store refuses access`.
    public static let objectDenied = ErrorCode(20402)
    /// The code of the error `object store not reachable`.
    public static let storageUnreachable = ErrorCode(20403)
    /// The code of the error `address refused`.
    public static let addressRefused = ErrorCode(20404)
    /// The code of the error `upload failed`.
    public static let uploadFailed = ErrorCode(20405)
    /// The code of the error `answer of an object store not usable`.
    public static let storageAnswerWrong = ErrorCode(20406)
    /// The code of the error `remote address not valid`.
    public static let remoteAddressInvalid = ErrorCode(20407)
    /// The code of the error `credentials not usable`.
    public static let credentialsUnusable = ErrorCode(20408)

    /// The errors of a source whose bytes could not be read; what is wrong with bytes that were read has others.
    package static let ofSources: Set<ErrorCode> = [
        .mediaCannotOpen, .mediaNotFound, .mediaChanged, .mediaNotDelivered, .cancelled, .objectNotFound,
        .objectDenied, .storageUnreachable, .storageAnswerWrong, .addressRefused, .credentialsUnusable,
    ]
}

extension ErrorCode {
    /// The errors of object stores and of files on the web.
    static let storageEntries: [Entry] = [
        Entry(
            code: .objectNotFound, title: "object not found", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                The object store or the web server answered that there is nothing at the address. `aws s3 ls` shows \
                what a bucket holds. Capitals in a key count, and nothing in an s3 address is percent-encoded.
                """),
        Entry(
            code: .objectDenied, title: "object store refuses access", retry: .permanent, exit: .mediaUnreadable,
            explanation: """
                The server knows the request and does not allow it. The credentials are missing, wrong or out of \
                date, or they have no right to the object. Credentials come from AWS_ACCESS_KEY_ID and \
                AWS_SECRET_ACCESS_KEY, or from a profile in ~/.aws/credentials. Only the machine with the coordinator \
                needs them.
                """),
        Entry(
            code: .storageUnreachable, title: "object store not reachable", retry: .transient, exit: .mediaUnreadable,
            explanation: """
                The server did not answer in time, broke connections off, or was too busy, at each of several \
                attempts. Look at the network between the coordinator and the server; then render again.
                """),
        Entry(
            code: .addressRefused, title: "address refused", retry: .permanent, exit: .usage,
            explanation: """
                The name of the server led to an address of this machine or of a private network, or a server sent \
                the request on to a place that is not allowed. Private addresses are asked only where the S3 endpoint \
                or a root of URLs names the host.
                """),
        Entry(
            code: .uploadFailed, title: "upload failed", retry: .transient, exit: .outputUnusable,
            explanation: """
                The film could not be sent to the object store, or the store did not confirm it. Nothing of it is \
                visible there. The reason stands beside this number.
                """),
        Entry(
            code: .storageAnswerWrong, title: "answer of an object store not usable", retry: .permanent,
            exit: .mediaUnreadable,
            explanation: """
                The server answered something else than was asked: the whole file instead of a part, another part, or \
                no mark by which a change could be seen. Sources need a server that serves ranges of bytes and sends \
                an ETag or a Last-Modified.
                """),
        Entry(
            code: .remoteAddressInvalid, title: "remote address not valid", retry: .permanent, exit: .usage,
            explanation: """
                Sources may be at `s3://bucket/key` and `https://host/path`, outputs at `s3://bucket/key`. The text \
                beside this number is no such address.
                """),
        Entry(
            code: .credentialsUnusable, title: "credentials not usable", retry: .permanent, exit: .usage,
            explanation: """
                The environment or a file names credentials that are not whole, a profile that is not there, or a way \
                to get credentials that splitreel does not go. `aws configure export-credentials` shows those of most \
                other ways; put them into the environment.
                """),
    ]
}
