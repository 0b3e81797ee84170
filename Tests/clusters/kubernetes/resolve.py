"""Resolves the overlays of deploy/kubernetes as kustomize does, as far as they use it: resources, namespace, images,
replicas, and patches of RFC 6902 that add and replace."""

import copy
import pathlib

import yaml

KNOWN = {"apiVersion", "kind", "namespace", "resources", "images", "replicas", "patches"}
WITHOUT_NAMESPACE = {"Namespace"}


def resolve(folder):
    """The objects of the kustomization in a folder. Raises ValueError for what it does not know."""
    folder = pathlib.Path(folder)
    plan = yaml.safe_load((folder / "kustomization.yaml").read_text())
    if unknown := set(plan) - KNOWN:
        raise ValueError(f"{folder}: {unknown} is not resolved here")
    found = []
    for name in plan["resources"]:
        path = folder / name
        # Anchors of one document must not make two places one object.
        found += resolve(path) if path.is_dir() else [
            copy.deepcopy(item) for item in yaml.load_all(path.read_text(), Loader=Plain) if item
        ]
    for item in found:
        if item["kind"] not in WITHOUT_NAMESPACE and "namespace" in plan:
            item["metadata"]["namespace"] = plan["namespace"]
        for container in containers(item):
            for image in plan.get("images", []):
                if container["image"] == image["name"]:
                    container["image"] = f"{image['newName']}:{image['newTag']}"
        for entry in plan.get("replicas", []):
            if item["metadata"]["name"] == entry["name"] and "replicas" in item["spec"]:
                item["spec"]["replicas"] = entry["count"]
    for patch in plan.get("patches", []):
        target = patch["target"]
        hit = [i for i in found if i["kind"] == target["kind"] and i["metadata"]["name"] == target["name"]]
        if len(hit) != 1:
            raise ValueError(f"{folder}: {target} is {len(hit)} objects")
        for change in yaml.safe_load(patch["patch"]):
            apply(hit[0], change)
    return found


class Plain(yaml.SafeLoader):
    """A loader that makes a copy of what an alias stands for."""

    def compose_node(self, parent, index):
        return copy.deepcopy(super().compose_node(parent, index))


def containers(item):
    """The containers of all pods of an object, those of the start first."""
    spec = item.get("spec", {}).get("template", {}).get("spec", {})
    return spec.get("initContainers", []) + spec.get("containers", [])


def apply(item, change):
    """One operation of RFC 6902."""
    *way, last = [part.replace("~1", "/").replace("~0", "~") for part in change["path"].split("/")[1:]]
    place = item
    for part in way:
        place = place[int(part)] if isinstance(place, list) else place[part]
    if change["op"] == "add" and isinstance(place, list):
        place.insert(len(place) if last == "-" else int(last), change["value"])
    elif change["op"] == "add" or change["op"] == "replace":
        key = int(last) if isinstance(place, list) else last
        if change["op"] == "replace":
            place[key]
        place[key] = change["value"]
    else:
        raise ValueError(f"{change['op']} is not resolved here")
