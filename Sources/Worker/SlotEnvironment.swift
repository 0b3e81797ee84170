/// The environment of a slot: its supervisor's, without the credentials of object stores.
///
/// A slot opens no address, and what it renders comes from anywhere. Those who send it blocks have the credentials.
package enum SlotEnvironment {
    /// glibc's malloc gives blocks from 256 KiB on, such as frames, back to the system when they are freed. Without it
    /// glibc raises that threshold to the largest block freed so far, and each thread's arena keeps holes of several
    /// frames: 406 instead of 281 MiB after forty chunks of 1080p.
    private static let frames = ["MALLOC_MMAP_THRESHOLD_": "262144"]

    /// The variables of `environment` that are passed on, each as `NAME=value`, by their names' order.
    package static func kept(of environment: [String: String]) -> [String] {
        environment.filter { name, _ in !name.hasPrefix("AWS_") }.merging(frames) { ours, _ in ours }
            .map { "\($0)=\($1)" }.sorted()
    }
}
