#!/usr/bin/env bash
# Audits a repository side by side with other programs and prints what each took.
#
#   scripts/benchmark.sh REPO [COMMIT [NEXT]]
#
# REPO is a local git repository, bare or not; COMMIT is HEAD by default. Without NEXT the next commit is made here: a
# line is added to every hundredth file. Needs git, python3, ripgrep and a release build (cargo build --release), or
# AUDIT=path/to/audit. RUNS=5 runs of each, interleaved; REPO itself is not written to. semgrep (with the rules of
# benches/semgrep.yaml), agent-audit and agent-audit-kit are measured once where they are on the PATH, for instance after
#   python3 -m venv others && others/bin/pip install semgrep agent-audit agent-audit-kit && PATH=$PWD/others/bin:$PATH
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
repo=$(cd "${1:?usage: scripts/benchmark.sh REPO [COMMIT [NEXT]]}" && pwd)
audit=${AUDIT:-$here/target/release/audit}
[ -x "$audit" ] || { echo "no $audit: run cargo build --release, or set AUDIT" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy that shares the objects, so that the next commit can be made in it.
git clone -q --shared --no-checkout "$repo" "$work/repo"
cd "$work/repo"
commit=$(git -C "$repo" rev-parse "${2:-HEAD}^{commit}")
git checkout -q --detach "$commit"
if [ -n "${3:-}" ]; then
  next=$(git -C "$repo" rev-parse "$3^{commit}")
else
  git ls-files -z | python3 -c '
import os, sys
files = [f for f in sys.stdin.buffer.read().split(b"\0") if f and os.path.isfile(f) and not os.path.islink(f)]
for file in files[::100]:
    with open(file, "ab") as out:
        out.write(b"\n")'
  git -c user.name=B -c user.email=b@example.org commit -qam next --no-verify
  next=$(git rev-parse HEAD)
  git checkout -q --detach "$commit"
fi
git ls-tree -r "$commit" | awk '$2 == "blob" { print $3 }' > "$work/blobs"

AUDIT=$audit WORK=$work COMMIT=$commit NEXT=$next PATTERNS=$here/benches/patterns.txt RULES=$here/benches/semgrep.yaml RUNS=${RUNS:-5} \
  python3 "$here/scripts/benchmark.py"
