"""The measuring half of benchmark.sh, which sets the environment; prints a Markdown table."""

import os
import shutil
import subprocess
import time

import http_server

WORK, AUDIT = os.environ["WORK"], os.environ["AUDIT"]
REPO = os.path.join(WORK, "repo")
RUNS = int(os.environ["RUNS"])


def measure(command, stdin=None):
    """CPU seconds, wall seconds and peak MB of one process with its children."""
    with open(stdin or os.devnull, "rb") as source:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=REPO, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        raise SystemExit(f"{command[0]} ended with {process.returncode}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def audit(commit, cache, *options, repository=REPO):
    """The command that audits `commit` of `repository` with its results in `cache`."""
    return [
        AUDIT, repository, "--commit", commit, "--quiet", "--force", "--date", "2026-01-01", "--id", "benchmark",
        "--out", os.path.join(WORK, "out"), "--cache-dir", cache, *options,
    ]


def one_round(number):
    """One run of everything: name and figures."""
    commit, following = os.environ["COMMIT"], os.environ["NEXT"]
    cache = os.path.join(WORK, f"cache-{number}")
    union = ["rg", "--no-config", "-c", "-f", os.environ["PATTERNS"], "."]
    yield "ripgrep, union of 150 patterns, files in the page cache", measure(union)
    yield "git cat-file --batch of all blobs", measure(["git", "cat-file", "--batch"], os.path.join(WORK, "blobs"))
    yield "audit, nothing cached", measure(audit(commit, cache))
    yield "audit, the same commit again", measure(audit(commit, cache))
    yield "audit, the next commit, 1% of files changed", measure(audit(following, cache))
    yield "audit --no-cache --threads 1", measure(audit(commit, cache, "--no-cache", "--threads", "1"))


def others():
    """What other programs take, once: they need minutes."""
    semgrep = ["semgrep", "scan", "--config", os.environ["RULES"], "--metrics", "off", "--disable-version-check"]
    commands = {
        "semgrep, 23 rules": [*semgrep, "--quiet", "."],
        "agent-audit": ["agent-audit", "scan", "."],
        "agent-audit-kit": ["agent-audit-kit", "scan", "."],
    }
    for name, command in commands.items():
        if shutil.which(command[0]):
            yield name, measure(command)


def fetches(url):
    """What it takes to get one commit from a server, beside what git takes: seconds of CPU and of the clock."""
    commit = os.environ["COMMIT"]
    for number in range(RUNS):
        clone, cache = (os.path.join(WORK, f"{name}-{number}") for name in ("clone", "fetched"))
        subprocess.run(["git", "init", "-q", "--bare", clone], check=True)
        git = measure(["git", "-C", clone, "fetch", "-q", "--depth", "1", url, commit])
        whole = measure(audit(commit, cache, "--no-cache", repository=url))
        again = measure(audit(commit, cache, "--no-cache", repository=url))
        yield git[:2], tuple(with_fetch - without for with_fetch, without in zip(whole[:2], again[:2]))


def median(figures):
    """The middle one."""
    return sorted(figures)[len(figures) // 2]


def main():
    """Measures and prints."""
    figures = {}
    for number in range(RUNS):
        for name, figure in one_round(number):
            figures.setdefault(name, []).append(figure)
    figures |= {name: [figure] for name, figure in others()}
    base, base_wall = (median(column) for column in list(zip(*next(iter(figures.values()))))[:2])
    print(f"{RUNS} runs, minimum / median / maximum; ratios of medians to the first line\n")
    print("| | CPU s | ratio | wall s | ratio | peak MB |")
    print("|---|---|---|---|---|---|")
    for name, runs in figures.items():
        cpu, wall, peak = (sorted(column) for column in zip(*runs))
        middle = len(runs) // 2
        print(
            f"| {name} | {cpu[0]:.2f} / {cpu[middle]:.2f} / {cpu[-1]:.2f} | {cpu[middle] / base:.2f}"
            f" | {wall[0]:.2f} / {wall[middle]:.2f} / {wall[-1]:.2f} | {wall[middle] / base_wall:.2f}"
            f" | {peak[-1]:.0f} |"
        )
    pairs = list(fetches(f"{http_server.serve(WORK)}/repo"))
    for place, unit in enumerate(("CPU", "wall")):
        git, ours = (median([pair[side][place] for pair in pairs]) for side in (0, 1))
        print(f"\nfetch of one commit over HTTP from this machine, {unit} s: git {git:.2f}, audit {ours:.2f}", end="")
    print()


if __name__ == "__main__":
    main()
