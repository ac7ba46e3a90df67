"""The measuring half of benchmark.sh, which sets the environment; prints a Markdown table."""

import os
import shutil
import subprocess
import time

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


def audit(commit, cache, *options):
    """The command that audits `commit` with its results in `cache`."""
    return [
        AUDIT, REPO, "--commit", commit, "--quiet", "--force", "--date", "2026-01-01", "--id", "benchmark",
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
    if shutil.which("semgrep"):
        yield "semgrep, p/security-audit", measure(["semgrep", "--config", "p/security-audit", "--quiet", "."])
    if shutil.which("agent-audit"):
        yield "agent-audit", measure(["agent-audit", "scan", "."])


def main():
    """Measures and prints."""
    figures = {}
    for number in range(RUNS):
        for name, figure in one_round(number):
            figures.setdefault(name, []).append(figure)
    base = sorted(cpu for cpu, _, _ in next(iter(figures.values())))[RUNS // 2]
    base_wall = sorted(wall for _, wall, _ in next(iter(figures.values())))[RUNS // 2]
    print(f"{RUNS} runs, minimum / median / maximum; ratios of medians to the first line\n")
    print("| | CPU s | ratio | wall s | ratio | peak MB |")
    print("|---|---|---|---|---|---|")
    for name, runs in figures.items():
        cpu, wall, peak = (sorted(column) for column in zip(*runs))
        middle = RUNS // 2
        print(
            f"| {name} | {cpu[0]:.2f} / {cpu[middle]:.2f} / {cpu[-1]:.2f} | {cpu[middle] / base:.2f}"
            f" | {wall[0]:.2f} / {wall[middle]:.2f} / {wall[-1]:.2f} | {wall[middle] / base_wall:.2f}"
            f" | {peak[-1]:.0f} |"
        )


if __name__ == "__main__":
    main()
