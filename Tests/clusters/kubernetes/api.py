"""A small stand-in for the API server of Kubernetes, for the real kubectl: discovery, objects that are checked by the
schemas of Kubernetes, watches, scale, logs, exec and port-forward. It knows the kinds of deploy/kubernetes alone, and
neither updates nor who asks."""

import base64
import copy
import http.server
import json
import re
import threading
import time
import urllib.parse
import uuid

import kubernetes_validate

import streams

RELEASE = "1.37"
# The group and version, the name in addresses, and the kind.
KINDS = [
    ("v1", "namespaces", "Namespace"), ("v1", "services", "Service"), ("v1", "secrets", "Secret"),
    ("v1", "pods", "Pod"), ("v1", "persistentvolumeclaims", "PersistentVolumeClaim"),
    ("apps/v1", "statefulsets", "StatefulSet"), ("apps/v1", "deployments", "Deployment"), ("batch/v1", "jobs", "Job"),
    ("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy"),
    ("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget"),
]
SHORT = {"statefulsets": ["sts"], "deployments": ["deploy"]}
WAY = re.compile(r"/(?:api/(v1)|apis/([^/]+/[^/]+))(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+))?(?:/([a-z]+))?")
INITIAL_END = {"k8s.io/initial-events-end": "true"}


class Store:
    """All objects, and what happened to them. Whoever reads or changes them holds `changed`."""

    def __init__(self):
        self.objects, self.events, self.changed = {}, [], threading.Condition(threading.RLock())

    def put(self, plural, item, event="MODIFIED"):
        with self.changed:
            meta = item["metadata"]
            meta["resourceVersion"] = str(len(self.events) + 1)
            place = plural, meta.get("namespace", ""), meta["name"]
            if event == "DELETED":
                self.objects.pop(place, None)
            else:
                self.objects[place] = item
            self.events.append((event, plural, copy.deepcopy(item)))
            self.changed.notify_all()

    def all(self, plural):
        with self.changed:
            return [item for (kind, _, _), item in self.objects.items() if kind == plural]


class Refusal(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
                       "message": message}


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection. The server has `store`, and `pods`, the pods of pods.py that run by their names."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        try:
            url = urllib.parse.urlsplit(self.path)
            self.query = urllib.parse.parse_qs(url.query)
            found = WAY.fullmatch(url.path)
            if not found:
                return self.answer(discovery(url.path))
            core, group, self.namespace, self.plural, self.name, self.sub = found.groups()
            if (core or group, self.plural) not in [kind[:2] for kind in KINDS]:
                raise Refusal(404, "NotFound", f"there is nothing at {url.path}")
            size = int(self.headers.get("Content-Length", 0))
            self.body = self.rfile.read(size)
            name = f"{self.command.lower()}_{self.sub or ('one' if self.name else 'all')}"
            getattr(self, name, self.refuse)()
        except Refusal as refusal:
            self.answer(refusal.status, refusal.status["code"])
        except ConnectionError:
            # kubectl has gone, as it does when it has seen enough.
            self.close_connection = True

    do_POST = do_PATCH = do_DELETE = do_GET

    def answer(self, value, code=200, kind="application/json"):
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self):
        raise Refusal(405, "MethodNotAllowed", f"the stand-in does not know {self.command} {self.path}")

    def item(self):
        place = self.plural, self.namespace or "", self.name
        with self.server.store.changed:
            if place not in self.server.store.objects:
                raise Refusal(404, "NotFound", f'{self.plural} "{self.name}" not found')
            return self.server.store.objects[place]

    def get_one(self):
        self.answer(self.item())

    def post_all(self):
        item = secret(self.body) if self.body.startswith(b"k8s\0") else json.loads(self.body)
        meta = item["metadata"]
        try:
            kubernetes_validate.validate(item, RELEASE, strict=True)
        except kubernetes_validate.ValidationError as error:
            raise Refusal(400, "BadRequest", f"{item['kind']} {meta['name']}: {error.message}") from error
        with self.server.store.changed:
            places = self.server.store.objects
            if self.namespace and ("namespaces", "", self.namespace) not in places:
                raise Refusal(404, "NotFound", f'namespaces "{self.namespace}" not found')
            if (self.plural, self.namespace or "", meta["name"]) in places:
                raise Refusal(409, "AlreadyExists", f'{self.plural} "{meta["name"]}" already exists')
            meta.update(uid=str(uuid.uuid4()), generation=1, creationTimestamp=time.strftime("%Y-%m-%dT%H:%M:%SZ"))
            if self.namespace:
                meta["namespace"] = self.namespace
            # What the real one fills in, and kubectl asks for.
            if item["kind"] == "StatefulSet":
                item["spec"].setdefault("updateStrategy", {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}})
            if item["kind"] == "Job":
                own = {"batch.kubernetes.io/controller-uid": meta["uid"]}
                item["spec"]["selector"] = {"matchLabels": own}
                item["spec"]["template"]["metadata"]["labels"].update(own)
            self.server.store.put(self.plural, item, "ADDED")
        self.answer(item, 201)

    def delete_one(self):
        item = self.item()
        if self.plural == "namespaces":
            # It goes when all in it has gone, as those who look after pods see to.
            item["metadata"]["deletionTimestamp"] = time.strftime("%Y-%m-%dT%H:%M:%SZ")
            self.server.store.put(self.plural, item)
        else:
            self.server.store.put(self.plural, item, "DELETED")
        self.answer(item)

    def get_scale(self):
        item = self.item()
        meta = {name: item["metadata"][name] for name in ("name", "namespace", "uid", "resourceVersion")}
        self.answer({"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": meta,
                     "spec": {"replicas": item["spec"]["replicas"]}, "status": item.get("status", {})})

    def patch_scale(self):
        item = self.item()
        item["spec"]["replicas"] = json.loads(self.body)["spec"]["replicas"]
        item["metadata"]["generation"] += 1
        self.server.store.put(self.plural, item)
        self.get_scale()

    def get_log(self):
        self.item()
        self.answer(self.server.pods[self.name].log, kind="text/plain")

    def get_exec(self):
        self.item()
        streams.run(self, self.server.pods[self.name], self.query["command"])

    def get_portforward(self):
        self.item()
        streams.forward(self)

    def chosen(self, plural, item):
        """Whether an object is among those that the query asks for."""
        meta = item["metadata"]
        wanted = self.query.get("fieldSelector", ["metadata.name=" + meta["name"]])[0]
        labels = [pair.split("=") for pair in self.query.get("labelSelector", [""])[0].split(",") if pair]
        return (plural == self.plural and self.namespace in (None, meta.get("namespace"))
                and wanted == "metadata.name=" + meta["name"]
                and all(meta.get("labels", {}).get(name) == value for name, value in labels))

    def get_all(self):
        version, kind = next((gv, kind) for gv, plural, kind in KINDS if plural == self.plural)
        with self.server.store.changed:
            items = [copy.deepcopy(i) for i in self.server.store.all(self.plural) if self.chosen(self.plural, i)]
            seen = len(self.server.store.events)
        for item in items:
            item.update(apiVersion=version, kind=kind)
        if "watch" not in self.query:
            return self.answer({"kind": kind + "List", "apiVersion": version, "items": items,
                                "metadata": {"resourceVersion": str(seen)}})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.close_connection = True
        if (since := self.query.get("resourceVersion", ["0"])[0]) not in ("", "0"):
            items, seen = [], int(since)
        if "sendInitialEvents" in self.query:
            items.append({"kind": kind, "apiVersion": version,
                          "metadata": {"resourceVersion": str(seen), "annotations": INITIAL_END}})
        for item in items:
            mark = item["metadata"].get("annotations") == INITIAL_END
            self.tell("BOOKMARK" if mark else "ADDED", item)
        while True:
            with self.server.store.changed:
                self.server.store.changed.wait_for(lambda: len(self.server.store.events) > seen)
                news, seen = self.server.store.events[seen:], len(self.server.store.events)
            for event, plural, item in news:
                if self.chosen(plural, item):
                    self.tell(event, dict(item, apiVersion=version, kind=kind))

    def tell(self, event, item):
        self.wfile.write(json.dumps({"type": event, "object": item}).encode() + b"\n")


def secret(body):
    """A Secret in protobuf, which `kubectl create` sends."""
    raw = dict(fields(body[4:]))[2]
    item = {"apiVersion": "v1", "kind": "Secret", "metadata": {}, "data": {}}
    for number, value in fields(raw):
        if number == 1:
            item["metadata"]["name"] = dict(fields(value))[1].decode()
        elif number == 2:
            name, data = (part for _, part in fields(value))
            item["data"][name.decode()] = base64.b64encode(data).decode()
        elif number == 3:
            item["type"] = value.decode()
    return item


def fields(data):
    """The numbers and the bytes of the fields of a message of protobuf; its numbers are passed over."""
    place = 0

    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = number()
        size = number()
        if key & 7 == 2:
            yield key >> 3, data[place:place + size]
            place += size


def discovery(path):
    """What the server is, as `/api`, `/apis` and the rest of them tell."""
    versions = list(dict.fromkeys(kind[0] for kind in KINDS))
    groups = [version for version in versions if "/" in version]
    ways = {version: ("apis/" if "/" in version else "api/") + version for version in versions}
    if path == "/version":
        return {"major": RELEASE.split(".")[0], "minor": RELEASE.split(".")[1], "gitVersion": f"v{RELEASE}.0"}
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        named = [{"groupVersion": group, "version": group.split("/")[1]} for group in groups]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
            {"name": one["groupVersion"].split("/")[0], "versions": [one], "preferredVersion": one} for one in named]}
    if path == "/openapi/v3":
        return {"paths": {way: {"serverRelativeURL": "/openapi/v3/" + way} for way in ways.values()}}
    for version, way in ways.items():
        kinds = [(plural, kind) for group, plural, kind in KINDS if group == version]
        if path == "/" + way:
            verbs = ["create", "delete", "get", "list", "patch", "watch"]
            found = [{"name": plural, "singularName": kind.lower(), "namespaced": plural != "namespaces", "kind": kind,
                      "shortNames": SHORT.get(plural, []), "verbs": verbs} for plural, kind in kinds]
            found += [{"name": plural + "/scale", "namespaced": True, "group": "autoscaling", "version": "v1",
                       "kind": "Scale", "verbs": ["get", "patch"]} for plural, _ in kinds if version == "apps/v1"]
            return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": found}
        if path == "/openapi/v3/" + way:
            # That it checks fields itself, which kubectl asks for.
            group = version.rpartition("/")[0]
            return {"openapi": "3.0.0", "info": {"title": "stand-in", "version": RELEASE}, "paths": {
                f"/{plural}/{{name}}": {"patch": {
                    "x-kubernetes-group-version-kind": {"group": group, "version": "v1", "kind": kind},
                    "parameters": [{"name": "fieldValidation", "in": "query"}], "responses": {}}}
                for plural, kind in kinds}}
    raise Refusal(404, "NotFound", f"there is nothing at {path}")


def serve(address, store, pods):
    """Begins to answer at an address and a free port; answers the port."""
    server = http.server.ThreadingHTTPServer((address, 0), Handler)
    server.daemon_threads = True
    server.store, server.pods = store, pods
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
