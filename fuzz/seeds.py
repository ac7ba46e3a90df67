#!/usr/bin/env python3
"""Writes seeds for every fuzz target into fuzz/corpus/: cards, configuration, searches and the probes' own cases."""

import pathlib
import tomllib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent
RUBRIC = [ROOT / "rubric/boundary.toml", *(ROOT / f"rubric/criteria/C{n}.toml" for n in range(1, 11))]


def put(target: str, number: int, data: bytes) -> None:
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed{number:05}").write_bytes(data)


def two(number: int) -> bytes:
    return number.to_bytes(2, "big")


def main() -> None:
    for number, card in enumerate(sorted((ROOT / "tests/data").glob("*.scorecard.json"))):
        put("card", number, card.read_bytes())
    rubric = [tomllib.loads(path.read_text()) for path in RUBRIC]
    probes = [probe for file in rubric for probe in file.get("probe", [])]
    cases = [(index, text) for index, probe in enumerate(probes) for text in probe["matches"] + probe["rejects"]]
    for number, (index, text) in enumerate(cases):
        put("probes", number, two(index) + text.encode())
        if len(text) < 2000:
            put("config", number, bytes([number % 6]) + text.encode())
    searches = [search for file in rubric for search in file.get("search", [])]
    for number, search in enumerate(searches):
        pattern = search["pattern"].replace("'", "'\\''")
        put("search", number, f"rg {search['flags']} '{pattern}'\nsrc".encode())
    for number, text in enumerate(["[a](b) `c` <d>", "# a\n- b\n1. c", "```\n| a |", "https://a.example/ @b #1 &amp;"]):
        put("markdown", number, text.encode())
    for number, text in enumerate(['level = 5', 'when = "a and not b"', "pattern = '''(a*)*'''", "[[probe]]", "{% for a in b %}"]):
        put("rubric", number, bytes([number]) + two(number * 7) + bytes([number % 3]) + text.encode())


main()
