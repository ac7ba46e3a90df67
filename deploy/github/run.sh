#!/usr/bin/env bash
# The audit step of action.yml. Inputs come as variables, never as text of the script: a branch name is data.
# Writes the card to $RUNNER_TEMP/card, a summary of the job, and the outputs total and folder.
set -euo pipefail
# ${list[@]+"${list[@]}"}: before bash 4.4, which macOS has, an empty list counts as unset.

audit="$RUNNER_TEMP/audit/bin/audit"
folder="$RUNNER_TEMP/card"
read -r -a more <<<"${AUDIT_ARGS:-}"
target=("$AUDIT_PATH" --repo-url "$AUDIT_URL" --quiet)
[ -z "${AUDIT_SUBPATH:-}" ] || target+=(--subpath "$AUDIT_SUBPATH")

status=0
"$audit" "${target[@]}" --out "$folder" --format md,json,sarif,html ${more[@]+"${more[@]}"} || status=$?
# 4 and 5 are gates; the card was written. Anything else is no card.
[ "$status" -eq 0 ] || [ "$status" -eq 4 ] || [ "$status" -eq 5 ] || exit "$status"

{
    echo '```'
    "$audit" render "$folder/scorecard.json" --format table
    echo '```'
} >>"$GITHUB_STEP_SUMMARY"

if [ -n "${AUDIT_BASE:-}" ]; then
    gate=()
    [ -z "${AUDIT_FAIL_ON:-}" ] || gate=(--fail-on "$AUDIT_FAIL_ON")
    compared=0
    "$audit" compare "${target[@]}" --from "$AUDIT_BASE" --to HEAD --format md ${gate[@]+"${gate[@]}"} \
        >"$RUNNER_TEMP/comparison.md" || compared=$?
    cat "$RUNNER_TEMP/comparison.md" >>"$GITHUB_STEP_SUMMARY"
    [ "$status" -ne 0 ] || status=$compared
fi

{
    echo "folder=$folder"
    echo "total=$("$audit" badge "$folder/scorecard.json" --format json | sed -n 's/.*"message": *"\([0-9.]*\).*/\1/p')"
} >>"$GITHUB_OUTPUT"
exit "$status"
