// Which actions move past which, as a page: rows come first, columns second.
//
// In: obligations about pairs of actions. Out: safe markup. A cell shows its worst check by shape and colour, says why in
// its tooltip, and a failed one opens its run.

import type { Obligation } from "../state/book.js";
import { worst } from "../state/standing.js";
import type { Standing } from "../state/standing.js";
import { escape } from "./html.js";

const PAIR_KINDS = ["commutativity", "gate-preservation", "failure-preservation"];

const SHAPES: Record<Standing, string> = {
  failed: "✗", timeout: "⧗", unknown: "?", running: "…", queued: "…", stale: "◌", trusted: "T", proved: "✓", skipped: "–",
};

const LEGEND = "✓ proved   – skipped: nothing shared   ? undecided   ⧗ out of time   ✗ failed (click)   ◌ older than the text   blank: not needed";

export function matrixPage(obligations: readonly Obligation[], staticTable: string): string {
  const pairs = obligations.filter((one) => PAIR_KINDS.includes(one.kind) && one.partner !== undefined);
  const names = [...new Set(pairs.flatMap((one) => [one.owner, one.partner ?? ""]))].sort();
  const table = names.length === 0
    ? `<p class="note">No two actions have been compared yet. Verify the file first; programs without movers need no comparison.</p>`
    : `<p class="note">Rows come first, columns second.</p>${matrix(names, pairs)}<p class="note">${escape(LEGEND)}</p>`;
  const calls = staticTable.trim() === "" ? "" : `<h1>Calls</h1><pre>${escape(staticTable.trimEnd())}</pre>`;
  return `<h1>Movers</h1>${table}${calls}`;
}

function matrix(names: readonly string[], pairs: readonly Obligation[]): string {
  const heads = names.map((name) => `<th class="column">${escape(name)}</th>`).join("");
  const rows = names.map((first) => {
    const cells = names.map((second) => cell(pairs.filter((one) => one.owner === first && one.partner === second)));
    return `<tr><th class="row">${escape(first)}</th>${cells.join("")}</tr>`;
  });
  return `<table class="matrix"><tr><th></th>${heads}</tr>${rows.join("")}</table>`;
}

function cell(checks: readonly Obligation[]): string {
  const standing = worst(checks.map((one) => one.standing));
  if (standing === undefined) return "<td></td>";
  const why = checks.map((one) => `${one.id}: ${one.standing}${one.reason === undefined ? "" : `, ${one.reason}`}`).join("\n");
  const failed = checks.find((one) => one.standing === "failed");
  const sign = failed === undefined ? SHAPES[standing] : `<button class="link failed" data-obligation="${escape(failed.id)}">${SHAPES.failed}</button>`;
  return `<td class="${standing}" title="${escape(why)}">${sign}</td>`;
}
