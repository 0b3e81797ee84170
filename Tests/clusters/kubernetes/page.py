"""Follows the page on Kubernetes with the real kubectl: each block of it that has `kubectl`, as it stands there,
against the stand-in for a cluster, whose pods are real processes of the image.
page.py SPLITREEL IMAGE-ROOT IMAGE-CONFIG WORK. To be run as root in namespaces of its own."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import api
from control import Control
from pods import Cluster, Image, until

PROJECT = pathlib.Path(__file__).resolve().parents[3]
COORDINATOR, CLUSTER, PERSON = "10.99.0.1", "10.98.0.1", "10.98.0.2"
CONFIG = """apiVersion: v1
kind: Config
clusters: [{name: here, cluster: {server: "http://%s:%d"}}]
contexts: [{name: here, context: {cluster: here, user: me}}]
users: [{name: me, user: {}}]
current-context: here
"""
SECONDS = 4


def main(program, root, config, work):
    work = pathlib.Path(work)
    person = Person(work / "person", program)
    cluster = Cluster(work, Image(root, json.loads(pathlib.Path(config).read_text())),
                      {"splitreel-coordinator": COORDINATOR})
    store = api.Store()
    control = Control(store, cluster)
    control.start()
    person.find(api.serve(CLUSTER, store, control.pods))
    page = (PROJECT / "docs/operating/kubernetes.md").read_text()
    blocks = [block for block in re.findall(r"^```\n(.*?)^```", page, re.M | re.S) if "kubectl" in block]
    # What the text has between its blocks: a key that leaked is revoked, and another's Secret takes its place.
    words = re.findall(r"`(kubectl [^`]*)`", page)
    farm, tokens, film, one, scale, probe = blocks

    person.run(farm)
    fetched(store, page)
    person.run(tokens)
    until(lambda: sum(runner.ready for runner in control.runners.values()) == 4, 60, "coordinator and three workers")
    make(person.folder)
    person.run(film)
    look(person.folder / "cut.mp4")
    person.run(probe)
    person.run(scale)
    until(lambda: len(control.runners) == 21, 10, "a pod for each of 20 workers")
    person.run("\n".join(words))
    until(lambda: sum(runner.ready for runner in control.runners.values()) == 1, 30, "the workers are out")

    # The farm for one film: its files come into the claim, and tokens are made, between the first two lines.
    person.run("kubectl delete namespace splitreel")
    apply, wait, logs, delete = one.splitlines()
    media = cluster.claim("splitreel-media")
    cluster.give(media, 65532)
    person.run(apply)
    fetched(store, page)
    until(lambda: any(runner.ready for runner in control.runners.values()), 60, "the coordinator")
    for name in ("cut.json", "clip.mp4"):
        (media / name).write_bytes((person.folder / name).read_bytes())
    person.run(tokens)
    person.run(wait)
    if "film.mp4" not in person.run(logs):
        raise AssertionError("the Job's log does not name the film")
    look(media / "film.mp4")
    person.run(delete)
    if store.objects or control.runners:
        raise AssertionError(f"these are left: {list(store.objects)}")


class Person:
    """Who follows the page, on a machine of their own: a network that sees the API of the cluster and nothing else."""

    def __init__(self, folder, program):
        self.folder = folder
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/splitreel").symlink_to(pathlib.Path(program).resolve())
        # A copy: the page puts its image into the overlays.
        shutil.copytree(PROJECT / "deploy", folder / "deploy")
        self.environment = dict(os.environ, HOME=str(folder), KUBECONFIG=str(folder / "kubeconfig"),
                                PATH=f"{folder}/bin:{os.environ['PATH']}")
        machine = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        net = pathlib.Path(f"/proc/{machine.pid}/ns/net")
        until(lambda: net.readlink() != pathlib.Path("/proc/self/ns/net").readlink(), 10, "a network")
        self.there = ["nsenter", f"--net={net}"]
        for words in (f"link add cluster type veth peer name person netns {machine.pid}",
                      f"address add {COORDINATOR}/32 dev lo"):
            subprocess.run(["ip", *words.split()], check=True)
        for where, name, address in (([], "cluster", CLUSTER), (self.there, "person", PERSON)):
            for words in ("link set lo up", f"address add {address}/30 dev {name}", f"link set {name} up"):
                subprocess.run([*where, "ip", *words.split()], check=True)

    def find(self, port):
        """Writes down where the API is."""
        (self.folder / "kubeconfig").write_text(CONFIG % (CLUSTER, port))

    def run(self, block, seconds=120):
        """Runs a block of the page in a shell, and ends what it left in the background; answers what it said."""
        print("\n".join("$ " + line for line in block.strip().splitlines()), flush=True)
        script = f"set -eo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{block}"
        ended = subprocess.run([*self.there, "bash", "-c", script], cwd=self.folder, env=self.environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               timeout=seconds)
        print(ended.stdout, end="", flush=True)
        if ended.returncode:
            raise AssertionError(f"status {ended.returncode}: {block}")
        return ended.stdout


def fetched(store, page):
    """Looks whether all pods have the image that the page pushes."""
    pushed = re.search(r"^buildah push (\S+)$", page, re.M)[1]
    for item in (item for plural in ("statefulsets", "deployments", "jobs") for item in store.all(plural)):
        spec = item["spec"]["template"]["spec"]
        for container in spec.get("initContainers", []) + spec["containers"]:
            if container["image"] != pushed:
                raise AssertionError(f"{item['kind']}: the image is {container['image']}, and {pushed} was pushed")


def make(folder):
    """A clip, and a composition of it."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-c:v", "libx264",
         "-preset", "ultrafast", str(folder / "clip.mp4")], check=True)
    subprocess.run(["bin/splitreel", "new", "clip.mp4", "--title", "Grüße", "-o", "cut.json"], cwd=folder, check=True)


def look(film):
    """Counts a film's frames."""
    count = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-show_entries", "stream=nb_read_frames",
         "-of", "csv=p=0", str(film)], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    if int(count) != SECONDS * 25:
        raise AssertionError(f"{film} has {count} frames")


if __name__ == "__main__":
    os.umask(0o022)
    main(*sys.argv[1:])
