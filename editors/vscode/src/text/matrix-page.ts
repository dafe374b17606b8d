// Which actions move past which, as a page: rows come first, columns second.
//
// In: the answer to `civl/movers`. Out: safe markup. A cell shows its worst check by shape and colour, says why in
// its tooltip, and a failed one opens its run.

import type { MoverCheck, MoverPair, MoversAnswer } from "../server/protocol.js";
import { standingOf, worst } from "../state/standing.js";
import type { Standing } from "../state/standing.js";
import { escape } from "./html.js";

const SHAPES: Record<Standing, string> = {
  failed: "✗", timeout: "!", unknown: "?", running: "…", queued: "…", stale: "◌", trusted: "T", proved: "✓", skipped: "–",
};

const LEGEND = "✓ proved   – skipped: nothing shared   ? undecided   ! out of time   ✗ failed (click)   ◌ older than the text   blank: not needed";

export function matrixPage(answer: MoversAnswer | undefined): string {
  const pairs = answer?.pairs ?? [];
  const layers = [...new Set(pairs.map((pair) => pair.layer ?? undefined))];
  const tables = layers.map((layer) => {
    const title = layer === undefined ? "" : `<h2>Layer ${layer}</h2>`;
    return title + matrix(pairs.filter((pair) => (pair.layer ?? undefined) === layer));
  });
  const note = pairs.length === 0
    ? `<p class="note">No two actions have been compared yet. Verify the file first; programs without movers need no comparison.</p>`
    : `<p class="note">Rows come first, columns second.</p>${tables.join("")}<p class="note">${escape(LEGEND)}</p>`;
  const calls = (answer?.text.trim() ?? "") === "" ? "" : `<h1>Calls</h1><pre>${escape(answer?.text.trimEnd() ?? "")}</pre>`;
  return `<h1>Movers</h1>${note}${calls}`;
}

/** The last column holds checks of one action alone. */
function matrix(pairs: readonly MoverPair[]): string {
  const names = [...new Set(pairs.flatMap((pair) => [pair.first, ...(pair.second ? [pair.second] : [])]))].sort();
  const alone = pairs.some((pair) => !pair.second);
  const heads = [...names, ...(alone ? ["alone"] : [])].map((name) => `<th class="column">${escape(name)}</th>`).join("");
  const rows = names.map((first) => {
    const seconds: (string | undefined)[] = [...names, ...(alone ? [undefined] : [])];
    const cells = seconds.map((second) => cell(pairs.filter((pair) => pair.first === first && (pair.second ?? undefined) === second).flatMap((pair) => pair.checks)));
    return `<tr><th class="row">${escape(first)}</th>${cells.join("")}</tr>`;
  });
  return `<table class="matrix"><tr><th></th>${heads}</tr>${rows.join("")}</table>`;
}

function cell(checks: readonly MoverCheck[]): string {
  const standing = worst(checks.map(standingOfCheck));
  if (standing === undefined) return "<td></td>";
  const why = checks.map((one) => `${one.id}: ${standingOfCheck(one)}${one.reason ? `, ${one.reason}` : ""}`).join("\n");
  const failed = checks.find((one) => standingOfCheck(one) === "failed");
  const sign = failed === undefined ? SHAPES[standing] : `<button class="link failed" data-obligation="${escape(failed.id)}">${SHAPES.failed}</button>`;
  return `<td class="${standing}" title="${escape(why)}">${sign}</td>`;
}

function standingOfCheck({ state, reason, stale }: MoverCheck): Standing {
  return standingOf(state, reason, stale ?? false);
}
