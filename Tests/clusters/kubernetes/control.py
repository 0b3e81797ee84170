"""What runs the pods of the objects in a store, as far as deploy/kubernetes needs it: StatefulSets of one pod,
Deployments, and Jobs that are tried once. Its machines have room for a few pods of a Deployment; others wait."""

import base64
import shutil
import threading
import time

from pods import Pod

ROOM = 3
# Seconds until what is in a namespace that ends is removed.
GRACE = 5


class Control(threading.Thread):
    """Looks at the store until the process ends. `pods` are the pods that were started, by their names."""

    def __init__(self, store, cluster):
        super().__init__(daemon=True)
        self.store, self.cluster, self.pods, self.runners, self.ending = store, cluster, {}, {}, {}

    def run(self):
        while True:
            time.sleep(0.1)
            with self.store.changed:
                self.turn()

    def turn(self):
        # Some seconds after the word, as in a real cluster: before that nothing is lacking that is deleted by name.
        for item in self.store.all("namespaces"):
            if "deletionTimestamp" in item["metadata"]:
                self.ending.setdefault(item["metadata"]["name"], time.monotonic() + GRACE)
        ending = [name for name, end in self.ending.items() if end < time.monotonic()]
        for plural, namespace, name in list(self.store.objects):
            if namespace in ending and plural != "pods":
                self.store.put(plural, self.store.objects[plural, namespace, name], "DELETED")
        self.cluster.secrets = {
            item["metadata"]["name"]: {key: base64.b64decode(text).decode() for key, text in item["data"].items()}
            for item in self.store.all("secrets")}
        wanted = {}
        for plural in ("statefulsets", "deployments", "jobs"):
            for item in self.store.all(plural):
                names = [f"{item['metadata']['name']}-{n}" for n in range(item["spec"].get("replicas", 1))]
                wanted |= {name: item for name in names}
                self.report(plural, item, [self.runners[name] for name in names if name in self.runners])
        for name, item in wanted.items():
            if name not in self.runners:
                self.runners[name] = Runner(self, name, item)
                self.runners[name].start()
        for name, runner in list(self.runners.items()):
            runner.stopped = name not in wanted
            if not runner.is_alive():
                self.store.put("pods", runner.item, "DELETED")
                del self.runners[name]
        for name in ending:
            if not any(namespace == name for _, namespace, _ in self.store.objects):
                del self.ending[name]
                shutil.rmtree(self.cluster.work / "claims")
                self.store.put("namespaces", self.store.objects["namespaces", "", name], "DELETED")

    def report(self, plural, item, runners):
        """Puts an object's status, where it changed."""
        ready = sum(runner.ready for runner in runners)
        status = {"observedGeneration": item["metadata"]["generation"], "replicas": len(runners),
                  "updatedReplicas": len(runners), "readyReplicas": ready, "availableReplicas": ready}
        if plural == "statefulsets":
            status |= {"currentRevision": "1", "updateRevision": "1"}
        if plural == "jobs":
            ends = [runner.pod.process.poll() for runner in runners if runner.pod]
            kinds = [None if end is None else "Failed" if end else "Complete" for end in ends]
            status = {"conditions": [{"type": kind, "status": "True"} for kind in kinds if kind]}
        if item.get("status") != status:
            item["status"] = status
            self.store.put(plural, item)


class Runner(threading.Thread):
    """One pod: waits for its Secrets and for room, runs it, asks whether it is ready, and ends it when it is stopped.
    One that ends is not started again."""

    def __init__(self, control, name, owner):
        super().__init__(daemon=True)
        self.control, self.owner, self.pod = control, owner, None
        self.ready = self.stopped = self.placed = False
        template = owner["spec"]["template"]
        self.item = {"kind": "Pod", "apiVersion": "v1", "spec": template["spec"], "metadata": dict(
            template["metadata"], name=name, namespace=owner["metadata"]["namespace"])}
        self.tell("Pending", "ADDED")

    def tell(self, phase, event="MODIFIED"):
        self.item["status"] = {"phase": phase, "conditions": [{"type": "Ready", "status": str(self.ready)}]}
        self.control.store.put("pods", self.item, event)

    def place(self):
        """Takes a place where there is one, and the Secrets of its variables are there; answers whether it did."""
        with self.control.store.changed:
            sources = [entry.get("valueFrom", {}) for container in self.item["spec"]["containers"]
                       for entry in container.get("env", [])]
            needed = {source["secretKeyRef"]["name"] for source in sources if "secretKeyRef" in source}
            others = [runner for runner in self.control.runners.values() if runner.owner is self.owner]
            room = sum(runner.placed for runner in others) < ROOM
            self.placed = room and needed <= self.control.cluster.secrets.keys()
            return self.placed

    def run(self):
        while not self.place():
            if self.stopped:
                return
            time.sleep(0.1)
        name = self.item["metadata"]["name"]
        claims = [claim["metadata"]["name"] for claim in self.owner["spec"].get("volumeClaimTemplates", [])]
        pod = Pod(self.control.cluster, name, {"spec": self.item["spec"]}, claims).start()
        self.control.pods[name] = self.pod = pod
        self.tell("Running")
        while not self.stopped and pod.process.poll() is None:
            time.sleep(0.5)
            if (ready := self.probe()) != self.ready:
                self.ready = ready
                self.tell("Running")
        self.ready = False
        if pod.process.poll() is None:
            pod.terminate()
            pod.end()
        self.tell("Failed" if pod.process.poll() else "Succeeded")
        while not self.stopped:
            time.sleep(0.1)
        shutil.rmtree(pod.place.parent)

    def probe(self):
        try:
            return "readinessProbe" not in self.pod.container or self.pod.probe("readinessProbe")[0]
        except AssertionError:
            if self.pod.process.poll() is None:
                raise
            return False
