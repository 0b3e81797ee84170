import LocalFarm
import Planning
import Reports
import Scheduling
import SplitreelFiles
import SplitreelProject
import TestTools
import Testing

@Suite("A job whose paths are mapped") struct BroughtJobTests {
    private func job(_ maps: [String]) throws -> BroughtJob {
        var inner = Project()
        inner.assets["b"] = Asset(url: "/home/me/b.mov")
        var project = Project()
        project.assets["a"] = Asset(url: "/home/me/films/a.mov")
        var nested = Asset().keys
        nested.project = inner
        project.assets["inner"] = Asset(nested)
        let output = OutputRequest(path: "/home/me/out/film.mp4")
        return BroughtJob(project: project, outputs: [output], maps: try PathMaps(maps))
    }

    @Test func theCoordinatorIsToldItsOwnPaths() throws {
        let job = try job(["/home/me=/srv", "/home/me/films=/films"])
        #expect(job.project.assets["a"]?.keys.url == "/films/a.mov")
        #expect(job.project.assets["inner"]?.keys.project?.assets["b"]?.keys.url == "/srv/b.mov")
        #expect(job.outputs.map(\.path) == ["/srv/out/film.mp4"])
    }

    @Test func thePersonReadsTheirOwnPaths() throws {
        let told = try job(["/home/me=/srv"]).inOwnPaths(JobReport(state: .completed, output: "/srv/out/film.mp4"))
        #expect(told.output == "/home/me/out/film.mp4")
        let other = try job(["/home/me=/srv"]).inOwnPaths(JobReport(state: .completed, output: "/srv/other.mp4"))
        #expect(other.output == "/srv/other.mp4")
    }

    @Test func withoutMapsNothingChanges() throws {
        let job = try job([])
        #expect(job.project.assets["a"]?.keys.url == "/home/me/films/a.mov")
        #expect(job.outputs.map(\.path) == ["/home/me/out/film.mp4"])
    }

    /// A file beside the mapped folder is none in it, though its path begins like it.
    @Test func stepsUpLeaveAMappedFolder() throws {
        let folder = try TestFolder("brought")
        for name in ["film/scenes", "media"] { _ = try folder.folder(name) }
        var project = Project()
        project.assets["in"] = Asset(url: folder.file("film/scenes/../a.mov"))
        project.assets["beside"] = Asset(url: folder.file("film/scenes/../../media/a.mov"))
        let maps = try PathMaps([folder.file("film") + "=/srv"])
        let job = BroughtJob(project: project, outputs: [], maps: maps)
        #expect(job.project.assets["in"]?.keys.url == "/srv/a.mov")
        #expect(job.project.assets["beside"]?.keys.url == folder.file("media/a.mov"))
    }
}
