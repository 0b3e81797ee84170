"""Checks deploy/kubernetes: the overlays against the schemas of some releases of Kubernetes, each command line against
the program's own help, and what a pod of ours must and must not have. check.py SPLITREEL RELEASE ..."""

import json
import pathlib
import re
import subprocess
import sys

import kubernetes_validate
import yaml

import overlays

PLACE = pathlib.Path(__file__).resolve().parents[3] / "deploy/kubernetes"
PORTS = {7733, 7734, 7735}
CONFINED = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def main(program, releases):
    faults = []
    for overlay in ["base"] + sorted(f"overlays/{path.name}" for path in (PLACE / "overlays").iterdir()):
        objects = overlays.objects(PLACE / overlay)
        for item in objects:
            name = f"{overlay}: {item['kind']} {item['metadata']['name']}"
            for release in releases:
                try:
                    kubernetes_validate.validate(item, release, strict=True)
                except kubernetes_validate.ValidationError as error:
                    faults.append(f"{name}, Kubernetes {release}: {error.message}")
            spec = item.get("spec", {}).get("template", {}).get("spec")
            if spec:
                faults += [f"{name}: {fault}" for fault in pod(spec) + words(spec, program)]
        faults += [f"{overlay}: {fault}" for fault in farm(objects)]
        print(f"{overlay}: {len(objects)} objects, Kubernetes {', '.join(releases)}")
    for fault in faults:
        print(f"FAILED {fault}", file=sys.stderr)
    return 1 if faults else 0


def pod(spec):
    """What a pod lacks of the rules for all of ours."""
    faults = []
    security = spec.get("securityContext", {})
    if not security.get("runAsNonRoot") or not security.get("runAsUser"):
        faults.append("it may run as root")
    if security.get("seccompProfile") != {"type": "RuntimeDefault"}:
        faults.append("it has no seccomp profile")
    if spec.get("automountServiceAccountToken") is not False:
        faults.append("it has a token of the cluster")
    if spec.get("enableServiceLinks") is not False:
        faults.append("services make variables that look like settings")
    volumes = {volume["name"] for volume in spec.get("volumes", [])}
    for container in spec.get("initContainers", []) + spec["containers"]:
        own = container.get("securityContext", {})
        if own != CONFINED:
            faults.append(f"{container['name']} may do more than it has to")
        limits = container.get("resources", {}).get("limits", {})
        if not {"cpu", "memory"} <= limits.keys():
            faults.append(f"{container['name']} has no limits, which slots and memory go by")
        # A claim's template is a volume too.
        lost = {mount["name"] for mount in container["volumeMounts"]} - volumes - {"data"}
        if lost:
            faults.append(f"{container['name']} mounts {lost}, which are no volumes")
    return faults


def words(spec, program):
    """The command lines that the program does not know."""
    faults = []
    for container in spec.get("initContainers", []) + spec["containers"]:
        lines = [container["args"]] if "command" not in container else [
            line.replace('"', "").split()[1:] for line in re.findall(r"splitreel [^\n]*", joined(container["args"][0]))
        ]
        probes = [container[name] for name in ("startupProbe", "readinessProbe", "livenessProbe") if name in container]
        lines += [probe["exec"]["command"][1:] for probe in probes]
        for probe in probes:
            if probe["exec"]["command"][0] != "splitreel" or probe["timeoutSeconds"] <= 5:
                faults.append("a probe is no `splitreel doctor --ready`, or has no more than its 5 s")
        for line in lines:
            faults += unknown(line, program)
    if "worker" in spec["containers"][0]["args"]:
        args = spec["containers"][0]["args"]
        seconds = int(args[args.index("--drain-seconds") + 1])
        if spec["terminationGracePeriodSeconds"] < seconds + 15:
            faults.append("it is killed before it has drained and sent")
    return faults


def joined(script):
    return script.replace("\\\n", " ")


def unknown(line, program):
    """The flags of a command line that its command's help does not have."""
    command = []
    for word in line:
        if word.startswith("-") or word.startswith("/") or len(command) == 2:
            break
        command.append(word)
    help = subprocess.run([program] + command + ["--help"], capture_output=True, text=True)
    if help.returncode or "USAGE: splitreel" not in help.stdout:
        return [f"splitreel {' '.join(command)} is no command"]
    flags = [word for word in line if re.fullmatch(r"--?[a-z][a-z-]*", word)]
    return [f"splitreel {' '.join(command)} has no {flag}" for flag in flags
            if not re.search(rf"(^|[\s,\[]){flag}([\s,\]=]|$)", help.stdout)]


def farm(objects):
    """What does not fit together: ports, selectors, secrets."""
    faults = []
    by_kind = {}
    for item in objects:
        by_kind.setdefault(item["kind"], []).append(item)
    coordinator = by_kind["StatefulSet"][0]
    template = coordinator["spec"]["template"]
    labels = template["metadata"]["labels"]
    service = by_kind["Service"][0]
    if {port["port"] for port in service["spec"]["ports"]} != PORTS:
        faults.append("the service has other ports")
    if {port["containerPort"] for port in template["spec"]["containers"][0]["ports"]} != PORTS:
        faults.append("the coordinator has other ports")
    if not service["spec"]["selector"].items() <= labels.items() or service["spec"]["clusterIP"] != "None":
        faults.append("the service is not the coordinator's, or not headless")
    for item in by_kind["NetworkPolicy"]:
        rules = item["spec"].get("ingress", []) + item["spec"].get("egress", [])
        for port in (port for rule in rules for port in rule["ports"]):
            span = set(range(port["port"], port.get("endPort", port["port"]) + 1))
            if span != PORTS and span != {53}:
                faults.append(f"a policy opens {span}")
    nothing = [p for p in by_kind["NetworkPolicy"] if p["spec"]["podSelector"] == {}]
    if not nothing or nothing[0]["spec"]["policyTypes"] != ["Ingress", "Egress"]:
        faults.append("what no policy allows is not refused")
    worker = by_kind["Deployment"][0]["spec"]["template"]["metadata"]["labels"]
    budget = by_kind["PodDisruptionBudget"][0]["spec"]["selector"]["matchLabels"]
    if not budget.items() <= worker.items():
        faults.append("the budget is not the workers'")
    return faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
