#!/usr/bin/env python3
"""Runs the indexed Job of a Kubernetes manifest in podman, and kills its containers at work.

Does for one machine what Kubernetes' Job controller does: a container for each index with the pod's arguments,
variables, security context, resources and volumes, and retries by podFailurePolicy and backoffLimitPerIndex, without
the delays.

Usage: kubernetes_job.py MANIFEST --image NAME --parts N --kills N --volume NAME=FOLDER… --podman 'COMMAND OPTION…'

Prints what happened to each container as JSON lines, and exits with 1 if a part failed or fewer containers were killed.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml




def substitute(text, variables):
    """$(NAME) as Kubernetes expands it; a name that is not a variable stays as it is."""
    return re.sub(r"\$\((\w+)\)", lambda match: variables.get(match[1], match[0]), text)


def podman_options(pod, container, folders):
    """The options of podman that give a container what its security context, resources and volumes say."""
    pod_context, context = pod["securityContext"], container["securityContext"]
    options = ["--user", f"{pod_context['runAsUser']}:{pod_context['runAsGroup']}", "--read-only-tmpfs=false"]
    if context["readOnlyRootFilesystem"]:
        options.append("--read-only")
    if not context["allowPrivilegeEscalation"]:
        options += ["--security-opt", "no-new-privileges"]
    # The default profile of seccomp is RuntimeDefault.
    if pod_context["seccompProfile"]["type"] != "RuntimeDefault":
        raise SystemExit("error: the seccomp profile of the manifest is not RuntimeDefault; change kubernetes_job.py.")
    options += [option for name in context["capabilities"]["drop"] for option in ("--cap-drop", name)]
    limits = container["resources"]["limits"]
    options += ["--cpus", limits["cpu"], "--memory", limits["memory"].removesuffix("i").lower()]
    for mount in container["volumeMounts"]:
        access = "ro" if mount.get("readOnly") else "rw"
        options += ["--volume", f"{folders[mount['name']]}:{mount['mountPath']}:{access}"]
    return options


class Job:
    def __init__(self, spec, arguments, folders):
        self.spec, self.arguments, self.folders = spec, arguments, folders
        self.pod = spec["template"]["spec"]
        self.container = self.pod["containers"][0]
        self.podman = shlex.split(arguments.podman)
        self.failed = threading.Event()
        self.lock = threading.Lock()
        self.codes, self.kills = Counter(), 0

    def report(self, **event):
        with self.lock:
            print(json.dumps(event), flush=True)

    def action(self, code):
        """What podFailurePolicy says about an exit status; None if it counts against the limit."""
        for rule in self.spec["podFailurePolicy"]["rules"]:
            condition = rule.get("onExitCodes")
            if condition and condition["containerName"] == self.container["name"]:
                if (code in condition["values"]) == (condition["operator"] == "In"):
                    return rule["action"]
        return None

    def run_container(self, index, attempt, kill_after, signal):
        """Runs a container to its end; kills it once its journal has enough pairs and it works on another."""
        name = f"livephoto-{index}-{attempt}"
        variables = {entry["name"]: entry["value"] for entry in self.container["env"]}
        variables["JOB_COMPLETION_INDEX"] = str(index)
        command = [*self.podman, "run", "--rm", "--name", name, "--network", "none"]
        command += ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"]
        command += podman_options(self.pod, self.container, self.folders)
        command += [option for key, value in variables.items() for option in ("--env", f"{key}={value}")]
        command += [self.arguments.image, *(substitute(text, variables) for text in self.container["args"])]
        # Where the program keeps the journal of this part.
        journal = self.folders["pairs"] / f".livephoto-batch/journal-{index + 1}-of-{self.arguments.parts}.jsonl"
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        killed = False
        while process.poll() is None:
            if kill_after is not None and not killed and is_at_work(journal, kill_after):
                result = subprocess.run([*self.podman, "kill", "--signal", signal, name], capture_output=True)
                killed = result.returncode == 0
            time.sleep(0.05)
        message = process.stderr.read().strip()
        return process.returncode, killed, message

    def run_index(self, index):
        failures = attempt = 0
        # Killed after 2, 5, 8… pairs; the last time as a drained node does it.
        plan = [(2 + 3 * number, "KILL") for number in range(self.arguments.kills)]
        if plan:
            plan[-1] = (plan[-1][0], "TERM")
        while not self.failed.is_set():
            kill_after, signal = plan[0] if plan else (None, None)
            code, killed, message = self.run_container(index, attempt, kill_after, signal)
            attempt += 1
            if killed and code in (137, 143):
                plan.pop(0)
                self.kills += 1
            action = self.action(code)
            self.codes[code] += 1
            event = {"index": index, "attempt": attempt, "status": code, "action": action, "killed": killed}
            self.report(**event, **({"message": message[-500:]} if message and code not in (0, 137, 143) else {}))
            if code == 0:
                return not plan
            if action == "FailJob":
                self.failed.set()
            if action == "FailIndex":
                return False
            if action is None:
                failures += 1
                if failures > self.spec["backoffLimitPerIndex"]:
                    return False
        return False


def is_at_work(journal, pairs):
    """Whether a part has made so many pairs and is working on another."""
    try:
        lines = [json.loads(line) for line in journal.read_text().splitlines() if line.endswith("}")]
    except (OSError, json.JSONDecodeError):
        return False
    done = {line["id"] for line in lines if line.get("status") == "done"}
    return len(done) >= pairs and lines[-1].get("status") == "started"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[2].removeprefix("Usage: "))
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--image", required=True)
    parser.add_argument("--parts", type=int, required=True)
    parser.add_argument("--kills", type=int, default=0, help="for each part")
    parser.add_argument("--volume", action="append", default=[])
    parser.add_argument("--podman", default="podman")
    arguments = parser.parse_args()
    folders = {name: Path(folder) for name, folder in (text.split("=", 1) for text in arguments.volume)}
    documents = {document["kind"]: document for document in yaml.safe_load_all(arguments.manifest.read_text())}
    for name, text in documents["ConfigMap"]["data"].items():
        (folders["jobs"] / name).write_text(text)
    spec = documents["Job"]["spec"]
    # As README.md says how to change the number of parts.
    spec["completions"] = spec["parallelism"] = arguments.parts
    for entry in spec["template"]["spec"]["containers"][0]["env"]:
        if entry["name"] == "PARTS":
            entry["value"] = str(arguments.parts)
    job = Job(spec, arguments, folders)
    with ThreadPoolExecutor(spec["parallelism"]) as pool:
        results = list(pool.map(job.run_index, range(spec["completions"])))
    codes = {str(code): count for code, count in sorted(job.codes.items())}
    print(json.dumps({"parts": results.count(True), "kills": job.kills, "statuses": codes}))
    sys.exit(0 if all(results) and job.kills == arguments.kills * arguments.parts else 1)


if __name__ == "__main__":
    main()
