"""Runs pods as their manifests say, without Kubernetes: the image's root, read-only, in namespaces of its own, as the
user of the manifest and without any privilege; its words, variables, volumes, probes and the end by SIGTERM.

What it does not have: cgroups, seccomp profiles, network policies."""

import os
import pathlib
import re
import signal
import subprocess
import time

START = """
set -e
hostname "$POD"
mount --bind "$ROOT" "$PLACE"
mount -o remount,bind,ro "$PLACE"
mount -t proc proc "$PLACE/proc"
mount -t tmpfs -o size=64k,mode=755 dev "$PLACE/dev"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$PLACE/dev/${device%%:*}" c 1 "${device#*:}"
done
mount -o remount,ro "$PLACE/dev"
mount --bind "$HOSTS" "$PLACE/etc/hosts"
IFS=,
for mount in $MOUNTS; do mount --bind "${mount%%=*}" "$PLACE${mount#*=}"; done
unset IFS
"""


class Image:
    """An image that is unpacked in a folder."""

    def __init__(self, root, config):
        self.root = pathlib.Path(root)
        self.entry = config["Entrypoint"]
        self.environment = dict(entry.split("=", 1) for entry in config["Env"])


class Cluster:
    """A folder with the claims and secrets that pods refer to."""

    def __init__(self, work, image, hosts):
        self.work, self.image = pathlib.Path(work), image
        self.secrets = {}
        self.hosts = self.work / "hosts"
        lines = ["127.0.0.1 localhost"] + [f"{address} {name}" for name, address in hosts.items()]
        self.hosts.write_text("\n".join(lines) + "\n")

    def claim(self, name):
        return self.work / "claims" / name

    @staticmethod
    def give(folder, group):
        """As a volume comes with fsGroup."""
        folder.mkdir(parents=True, exist_ok=True)
        os.chown(folder, 0, group)
        folder.chmod(0o2775)


class Pod:
    """A pod of a template. `start` runs what has to run first, and then its one container."""

    def __init__(self, cluster, name, template, claims=()):
        self.cluster, self.name, self.spec = cluster, name, template["spec"]
        self.place = cluster.work / "pods" / name / "root"
        self.place.mkdir(parents=True)
        self.volumes = {claim: cluster.claim(claim) for claim in claims}
        for volume in self.spec.get("volumes", []):
            own = cluster.work / "pods" / name / volume["name"]
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            self.volumes[volume["name"]] = cluster.claim(claim) if claim else own
        for folder in self.volumes.values():
            cluster.give(folder, self.spec["securityContext"]["fsGroup"])
        self.process = self.container = None

    def start(self):
        for first in self.spec.get("initContainers", []):
            process = self._run(first)
            if process.wait(timeout=60):
                raise AssertionError(f"{self.name}: {first['name']} ended with {process.returncode}:\n{self.log}")
        self.container = self.spec["containers"][0]
        self.process = self._run(self.container)
        return self

    @property
    def log(self):
        return (self.place.parent / "log").read_text(errors="replace")

    @property
    def first_process(self):
        """The number, as we see it, of the process that is number 1 in the pod."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        until(lambda: children.read_text().split(), 10, "the container's process")
        return int(children.read_text().split()[0])

    def _run(self, container):
        mounts = ",".join(f"{self.volumes[mount['name']]}={mount['mountPath']}" for mount in container["volumeMounts"])
        settings = {
            "POD": self.name, "ROOT": str(self.cluster.image.root), "PLACE": str(self.place),
            "HOSTS": str(self.cluster.hosts), "MOUNTS": mounts,
        }
        # A Secret that changes later is none of theirs.
        self.variables = variables = self._variables(container)
        words = [re.sub(r"\$\((\w+)\)", lambda m: variables[m[1]], word) for word in container.get("args", [])]
        words = container.get("command", self.cluster.image.entry) + words
        script = START + f'unset {" ".join(settings)}; exec "$@"'
        log = open(self.place.parent / "log", "ab")
        return subprocess.Popen(
            ["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--propagation", "slave",
             "sh", "-c", script, "sh"] + self._entered(words),
            env=variables | settings, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _variables(self, container):
        found = dict(self.cluster.image.environment, HOSTNAME=self.name)
        for entry in container.get("env", []):
            source = entry.get("valueFrom", {})
            if secret := source.get("secretKeyRef"):
                found[entry["name"]] = self.cluster.secrets[secret["name"]][secret["key"]]
            elif field := source.get("fieldRef"):
                assert field["fieldPath"] == "metadata.name"
                found[entry["name"]] = self.name
            else:
                found[entry["name"]] = entry["value"]
        return found

    def _entered(self, words):
        """The words that run others in the pod's root, as its user. Its variables are those of the process, since
        everybody can read words: a token is among them."""
        user = self.spec["securityContext"]
        return [
            "chroot", str(self.place), "setpriv", f"--reuid={user['runAsUser']}", f"--regid={user['runAsGroup']}",
            f"--groups={user['fsGroup']}", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs",
        ] + words

    def exec(self, words, text=None):
        """What `kubectl exec` does; the ended process."""
        enter = ["nsenter", f"--target={self.first_process}", "--mount", "--pid", "--uts"]
        return subprocess.run(
            enter + self._entered(words), env=self.variables, capture_output=True, text=True,
            input=text, timeout=60)

    def probe(self, name):
        """Whether a probe of the manifest succeeds, and what it said. It keeps its time."""
        began = time.monotonic()
        ended = self.exec(self.container[name]["exec"]["command"])
        seconds = time.monotonic() - began
        if seconds > self.container[name]["timeoutSeconds"]:
            raise AssertionError(f"{self.name}: {name} took {seconds:.1f} s")
        return ended.returncode == 0, (ended.stdout + ended.stderr).strip()

    def wait_ready(self, name="readinessProbe", seconds=60):
        until(lambda: self.process.poll() is not None or self.probe(name)[0], seconds, f"{self.name}: {name}")
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}:\n{self.log}")

    def terminate(self):
        """Sends what the cluster sends before it kills."""
        os.kill(self.first_process, signal.SIGTERM)

    def end(self):
        """Waits as long as the cluster would; answers the status."""
        try:
            return self.process.wait(timeout=self.spec.get("terminationGracePeriodSeconds", 30))
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} would have been killed:\n{self.log}") from None

    def processes(self):
        """Number, state and name of each process of the pod, as `ps` inside has them."""
        said = self.exec(["sh", "-c", "cat /proc/[0-9]*/stat"]).stdout
        found = re.findall(r"^(\d+) \((.*)\) (\w) (\d+)", said, re.M)
        return [(int(pid), state, name, int(parent)) for pid, name, state, parent in found]


def until(condition, seconds, what):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.1)
