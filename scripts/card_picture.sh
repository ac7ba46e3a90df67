#!/usr/bin/env bash
# Makes docs/card.png anew: the head of the example's page. Needs chromium, whose system-ui decides the font.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --quiet --locked
target/debug/audit fixtures/deskhand --worktree --quiet --date 2026-11-30 --out "$folder" >/dev/null
target/debug/audit render "$folder/scorecard.json" --format html >"$folder/card.html"
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1180,1650 \
    --screenshot="$PWD/docs/card.png" "file://$folder/card.html"
