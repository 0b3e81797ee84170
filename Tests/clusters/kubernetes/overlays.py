"""What the overlays of deploy/kubernetes are, by the kustomize that the real kubectl carries."""

import subprocess

import yaml


def objects(folder):
    """The objects of the kustomization in a folder."""
    made = subprocess.run(["kubectl", "kustomize", str(folder)], stdout=subprocess.PIPE, text=True, check=True)
    return list(yaml.safe_load_all(made.stdout))
