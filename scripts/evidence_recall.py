#!/usr/bin/env python3
"""How many of the files that reviewers cited are cited again, criterion by criterion.

usage: evidence_recall.py REVIEWS OURS
  REVIEWS  folder with <id>.json or <id>.scorecard.json: hand-made scorecards at the same commits
  OURS     folder with <id>/scorecard.json: cards that audit made

Prints for each card and criterion: files the reviewer cited, how many of them our card cites in the same criterion,
and how many files we cite. Absent criteria cite searches only and are left out.
"""

import json
import sys
from pathlib import Path


def cited_files(criterion):
    """Files that the parameters of a criterion cite, those of an alternative included."""
    mechanisms = [criterion, criterion.get("alt") or {}]
    parameters = [p for m in mechanisms for p in (m.get("parameters") or {}).values()]
    return {e["file"] for p in parameters for e in p["evidence"] if "file" in e}


def load(path):
    return {c["id"]: cited_files(c) for c in json.loads(path.read_text(encoding="utf-8"))["criteria"]}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reviews, ours = Path(sys.argv[1]), Path(sys.argv[2])
    found = wanted = cited = 0
    for path in sorted(reviews.glob("*.json")):
        card = path.name.removesuffix(".json").removesuffix(".scorecard")
        own_path = ours / card / "scorecard.json"
        if not own_path.is_file():
            continue
        review, own = load(path), load(own_path)
        for criterion, files in review.items():
            if not files:
                continue
            again = len(files & own.get(criterion, set()))
            found, wanted, cited = found + again, wanted + len(files), cited + len(own.get(criterion, set()))
            print(f"{card:28} {criterion:4} cited {len(files):3}  found {again:3}  ours {len(own.get(criterion, set())):3}")
    if wanted:
        print(f"\n{found} of {wanted} cited files found again ({found / wanted:.0%}); ours cite {cited}")


if __name__ == "__main__":
    main()
