import Diagnostics
import Outputs
import SplitreelProject

extension Container {
    /// The container that the request names, or else the one that its path says. Throws where there is none of that
    /// name.
    package init(of request: OutputRequest) throws {
        guard let type = request.delivery.fileType else {
            try self.init(forPath: request.path)
            try requirePattern(request)
            return
        }
        guard let container = Container(rawValue: type.lowercased()) else {
            throw SplitreelError(
                .usage, operation: "choosing the container", subject: "fileType \(type)",
                reason: "no container has that name",
                hint: "say " + alternatives(Container.allCases.map(\.rawValue)))
        }
        self = container
        try requirePattern(request)
    }

    /// Throws where images lack a name each: a pattern with the ending of their kind. A single image may have a name
    /// without a number.
    private func requirePattern(_ request: OutputRequest) throws {
        guard kind == .images else { return }
        let (path, isSingle) = (request.path, request.stills.times?.count == 1)
        guard let pattern = ImagePattern(path), pattern.hasNumber || isSingle, try Container(forPath: path) == self
        else {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            throw SplitreelError(
                .usage, operation: "choosing the output", subject: path,
                reason: name.contains("%")
                    ? "a sequence of \(rawValue) images is named with one number such as %05d, and ends in .\(rawValue)"
                    : request.stills.times == nil
                        ? "one image cannot hold a film" : "one name cannot hold several images",
                hint: "name a pattern such as frame-%05d.\(rawValue), or make a single image with `splitreel frame`")
        }
    }
}
