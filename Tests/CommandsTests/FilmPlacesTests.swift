import Diagnostics
import LocalFarm
import Planning
import SplitreelProject
import Testing

@Suite("The places to which films come")
struct FilmPlacesTests {
    private func isRefused(_ places: FilmPlaces, _ film: String) -> Bool {
        do {
            _ = try places.paths(of: [film], of: "j")
            return false
        } catch {
            return (error as? SplitreelError)?.code == .refused
        }
    }

    @Test func withoutAPlaceACoordinatorNamesVisibleFilmsAlone() throws {
        for film in ["/home/u/film.mp4", "/home/u/a b/frame-001.png", "/film.MKV", "/home/u/-/list.m3u8"] {
            #expect(try FilmPlaces.told.paths(of: [film], of: "j") == [film])
        }
        let others = [
            "/home/u/.ssh/authorized_keys", "/home/u/.bash_profile", "/home/u/.config/a.mp4", "/home/u/.film.mp4",
            "/home/u/../v/a.mp4", "/home/u//a.mp4", "/home/u/./a.mp4", "home/u/a.mp4", "", "/", "/home/u/a.mp4/",
            "/home/u/bin/run\0.mp4", "/home/u/bin/run", "/home/u/bin/run.sh", "/home/u/a.waveform",
            "/home/\u{301}/.ssh/a.mp4",
        ]
        for film in others { #expect(isRefused(.told, film), "\(film.debugDescription)") }
    }

    @Test func aNamedFolderTakesNamesAlone() throws {
        let films = ["/home/u/.hidden/a.png", "/elsewhere/b.png"]
        #expect(try FilmPlaces.folder("/to").paths(of: films, of: "j") == ["/to/a.png", "/to/b.png"])
        #expect(try FilmPlaces.folder("/").paths(of: films, of: "j") == ["/a.png", "/b.png"])
        for film in ["/home/u/.bashrc", "/home/u/.a.mp4", "/home/u/a.sh", "/a/..", "a.mp4"] {
            #expect(isRefused(.folder("/to"), film), "\(film)")
        }
        let twice = ["/a/x.mp4", "/b/x.mp4"]
        #expect(throws: SplitreelError.self) { try FilmPlaces.folder("/to").paths(of: twice, of: "j") }
    }

    @Test func aNamedFileIsOfOneFilm() throws {
        #expect(try FilmPlaces.file("/to/.x").paths(of: ["/any"], of: "j") == ["/to/.x"])
        #expect(throws: SplitreelError.self) { try FilmPlaces.file("/to/x").paths(of: ["/a", "/b"], of: "j") }
    }

    @Test func ofSubmittedOutputsTheVeryFilesCome() throws {
        var images = OutputRequest(path: "/out/still-%03d.png")
        images.stills.startNumber = 5
        let places = FilmPlaces.outputs([OutputRequest(path: "/home/u/film.mp4"), images])
        let films = ["/home/u/film.mp4", "/out/still-005.png", "/out/still-1234.png"]
        #expect(try places.paths(of: films, of: "j") == films)
        let others = [
            "/home/u/.bashrc", "/home/u/other.mp4", "/home/u/film.mp4/x.mp4", "/out/still-004.png",
            "/out/still-05.png", "/out/sub/still-005.png", "/home/u/still-005.png", "/out/still-%03d.png",
        ]
        for film in others { #expect(isRefused(places, film), "\(film)") }
    }
}
