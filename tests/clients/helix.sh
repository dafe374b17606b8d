#!/usr/bin/env bash
# helix.sh HX FOLDER: Helix with editors/helix/languages.toml in a real terminal (tmux), on FOLDER/program.bpl.
# Prints "ok: ..." for each thing that held and "FAILED: ..." for the first that did not.
set -u
hx=$1 folder=$2
screen() { tmux -L "$session" capture-pane -p -t hx 2>/dev/null; }
keys() { tmux -L "$session" send-keys -t hx "$@"; }
session=civl-helix-$$
trap 'tmux -L "$session" kill-server 2>/dev/null' EXIT

server() { pgrep -f "civl lsp" -P "$(pgrep -d, -g "$(tmux -L "$session" display -p -t hx '#{pane_pid}')")"; }

shows() { screen | grep -Eq -- "$1"; }
lacks() { ! shows "$1"; }

hold() { # hold WHAT PATTERN [lacks]: waits until the screen shows, or lacks, the pattern
    local end=$((SECONDS + 40))
    until "${3:-shows}" "$2"; do
        [ $SECONDS -lt $end ] || { echo "FAILED: $1"; screen; exit 1; }
        sleep 0.1
    done
    echo "ok: $1"
}

cd "$folder" || exit 1
tmux -L "$session" -f /dev/null new-session -d -s hx -x 150 -y 45 "$hx program.bpl"
hold "diagnostics appear" "^ *● +19 +call bump"
keys 19gg gs
hold "with their words" "a second non-mover"
keys w Space k
hold "hover shows the procedure" "yield procedure .*bump|refines Bump"
keys 19gg gs; keys Space a
hold "code actions are offered" "insert .call Anything"
keys Enter
hold "the code action is applied" "19 +call Anything"
hold "and repairs" "a second non-mover" lacks
keys :w Enter
keys 25gg gs
hold "saving verifies" "this assertion may fail"
old=$(server)
keys :lsp-restart Enter
until now=$(server) && [ "$(wc -w <<<"$now")" = 1 ] && [ "$now" != "$old" ]; do
    [ $SECONDS -lt 150 ] || { echo "FAILED: no new server"; exit 1; }
    sleep 0.1
done
echo "ok: a new server runs"
# One edit only: Helix 25.01 sends the changes of fast typing in any order.
keys 2gg x d
hold "it checks the unsaved text" "^ *● +6 "
keys u :w Enter
keys 25gg gs
hold "the edit is undone" "^ *● +6 " lacks
hold "and proofs come back" "this assertion may fail"
keys :q! Enter
echo "all steps held"
