"""Renders a film with the pods of the overlay `one-film`, and looks at them meanwhile.
farm.py IMAGE-ROOT IMAGE-CONFIG WORK. To be run as root in namespaces of its own."""

import copy
import json
import os
import pathlib
import subprocess
import sys

import overlays
from pods import Cluster, Image, Pod, until

OVERLAY = pathlib.Path(__file__).resolve().parents[3] / "deploy/kubernetes/overlays/one-film"
ADDRESS = "10.99.0.1"
SECONDS = 9


def main(root, config, work):
    objects = {(o["kind"], o["metadata"]["name"]): o for o in overlays.objects(OVERLAY)}
    stateful = objects["StatefulSet", "splitreel-coordinator"]["spec"]
    worker = objects["Deployment", "splitreel-worker"]["spec"]["template"]
    film = objects["Job", "splitreel-film"]["spec"]["template"]
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"], check=True)
    image = Image(root, json.loads(pathlib.Path(config).read_text()))
    cluster = Cluster(work, image, {"splitreel-coordinator": ADDRESS})

    claims = [claim["metadata"]["name"] for claim in stateful["volumeClaimTemplates"]]
    hub = Pod(cluster, "splitreel-coordinator-0", stateful["template"], claims).start()
    hub.wait_ready("startupProbe")
    say(f"coordinator: {hub.probe('readinessProbe')[1]}")
    for name, role in [("worker", "worker"), ("client", "submit")]:
        cluster.secrets[f"splitreel-{name}-token"] = {"token": make_token(hub, name, role)}

    workers = [Pod(cluster, f"splitreel-worker-{number}", worker).start() for number in range(2)]
    for pod in workers:
        pod.wait_ready()
        say(f"{pod.name}: {pod.probe('readinessProbe')[1]}")
    for pod in [hub] + workers:
        look(pod)
    killed_slot(workers[1])

    media = cluster.claim("splitreel-media")
    make_film(cluster, film, media)
    client = Pod(cluster, "splitreel-film-x", film).start()
    until(lambda: busy(workers[0]) or client.process.poll() is not None, 60, "a chunk in hand")
    if client.process.poll() is not None:
        raise AssertionError(f"the job ended before anything was in hand:\n{client.log}\n{hub.log}")
    workers[0].terminate()
    until(lambda: workers[0].process.poll() is not None or not workers[0].probe("readinessProbe")[0], 5,
          "the worker that drains is not ready")
    if workers[0].end():
        raise AssertionError(f"a worker that drained ended with {workers[0].process.returncode}")
    say("a worker was told to leave in mid-render: it drained, and ended with status 0")
    if client.process.wait(timeout=600):
        raise AssertionError(f"the job ended with {client.process.returncode}:\n{client.log}\n{hub.log}")
    compare(cluster, film, media)

    # A coordinator that is moved goes on, with the keys of its volume.
    hub.terminate()
    if hub.end() not in (0, 7):
        raise AssertionError(f"the coordinator ended with {hub.process.returncode}:\n{hub.log}")
    for path in (cluster.claim(claims[0]) / "keys").iterdir():
        path.chmod(0o660)
    again = Pod(cluster, "splitreel-coordinator-0b", stateful["template"], claims).start()
    again.wait_ready("startupProbe")
    until(lambda: workers[1].probe("readinessProbe")[0], 60, "the worker finds it again")
    say("the coordinator was moved: its worker is registered again")
    workers[1].terminate()
    if workers[1].end():
        raise AssertionError(f"an idle worker ended with {workers[1].process.returncode}")
    again.terminate()
    again.end()


def say(text):
    print(text, flush=True)


def make_token(hub, name, role):
    """As the page says."""
    path = f"/tmp/{name}.token"
    made = hub.exec(["splitreel", "keys", "add", name, "--role", role, "--endpoint", "tcp://splitreel-coordinator:7733",
                     "-o", path])
    if made.returncode:
        raise AssertionError(f"keys add: {made.stderr}")
    return hub.exec(["cat", path]).stdout


def look(pod):
    """Whom the pod's processes are, and what they may not do."""
    status = pod.exec(["cat", "/proc/1/status"]).stdout
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    if facts["Uid"].split() != ["65532"] * 4 or facts["CapEff"].strip("0") or facts["CapBnd"].strip("0"):
        raise AssertionError(f"{pod.name} has privileges: {facts}")
    if facts["NoNewPrivs"] != "1":
        raise AssertionError(f"{pod.name} may gain privileges")
    for path in ("/x", "/usr/local/bin/x", "/etc/x", "/dev/x"):
        if pod.exec(["sh", "-c", f"echo > {path}"]).returncode == 0:
            raise AssertionError(f"{pod.name}: {path} was written")


def busy(pod):
    """Whether a worker has something in hand: its folder for a lease is there."""
    place = pod.volumes["data"] / "worker/slots"
    return any(place.glob("*/outbox/*"))


def killed_slot(pod):
    """A slot that is killed comes again, and nothing of it is left: number 1 inherits what rendered for it."""
    worker = [pid for pid, _, name, parent in pod.processes() if parent == 1 and name == "splitreel"]
    slots = [pid for pid, _, _, parent in pod.processes() if parent in worker]
    halves = [pid for pid, _, _, parent in pod.processes() if parent in slots]
    pod.exec(["sh", "-c", f"kill -KILL {slots[0]}"])
    until(lambda: slots[0] not in [p[0] for p in pod.processes()], 10, "the slot that was killed is gone")
    pod.wait_ready()
    until(lambda: not [p for p in pod.processes() if p[1] == "Z"], 10, f"no zombies:\n{pod.processes()}")
    if not halves:
        raise AssertionError("nothing renders for a slot")
    say(f"{pod.name}: one of {len(slots)} slots was killed; it came again, and left no zombie")


def run(cluster, name, template, words):
    """Runs a command in the pod of a template, instead of its own and without a token; answers what it said."""
    spec = copy.deepcopy(template["spec"])
    spec["containers"] = [dict(spec["containers"][0], args=words, env=[])]
    pod = Pod(cluster, name, {"spec": spec}).start()
    if pod.process.wait(timeout=600):
        raise AssertionError(f"{words} ended with {pod.process.returncode}:\n{pod.log}")
    return pod.log


def make_film(cluster, film, media):
    """A clip, and a composition of it with a title, in the claim."""
    cluster.give(media, film["spec"]["securityContext"]["fsGroup"])
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-f", "lavfi",
         "-i", f"sine=440:d={SECONDS}", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-shortest",
         str(media / "clip.mp4")], check=True)
    run(cluster, "composer", film, ["new", "/media/clip.mp4", "--title", "Grüße", "-o", "/media/cut.json"])


def as_nobody(cluster, film, media):
    """Runs the entry point as a user whom the image does not know of; answers the film that it rendered."""
    own = cluster.claim("splitreel-nobody")
    cluster.give(own, 65534)
    for name in ("clip.mp4", "cut.json"):
        (own / name).write_bytes((media / name).read_bytes())
    template = copy.deepcopy(film)
    template["spec"]["securityContext"].update(runAsUser=65534, runAsGroup=65534, fsGroup=65534)
    template["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] = own.name
    lines = [["--version"], ["doctor", "/media"], ["render", "/media/cut.json", "-o", "/media/film.mp4"]]
    for number, words in enumerate(lines):
        said = run(cluster, f"nobody-{number}", template, words)
        say(f"nobody: {words[0]}: {said.splitlines()[0]}")
    return own / "film.mp4"


def compare(cluster, film, media):
    """Holds the farm's film against that of one process in the same image, by ffmpeg."""
    films = [media / "film.mp4", as_nobody(cluster, film, media)]
    sums = [subprocess.run(["ffmpeg", "-v", "error", "-i", str(path), "-f", "framemd5", "-"],
                           capture_output=True, text=True, check=True).stdout for path in films]
    frames = sum(line.startswith("0,") for line in sums[0].splitlines())
    if sums[0] != sums[1] or frames != SECONDS * 25:
        raise AssertionError(f"the farm's film is another one, or has {frames} frames")
    say(f"the film has {frames} frames, each as one process renders it in the image")


if __name__ == "__main__":
    os.umask(0o022)
    main(*sys.argv[1:])
