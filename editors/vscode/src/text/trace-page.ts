// Failing runs as a page.
//
// In: the answer to `civl/trace`. Out: safe markup, and the places that its buttons lead to, by number. Steps stand in one
// column per thread; two orders of the same actions stand side by side; the condition that fails is unfolded.

import type { Conjunct, FailingRun, Step, TraceAnswer } from "../server/protocol.js";
import { escape } from "./html.js";

export interface Spot {
  readonly uri: string;
  /** Counted from 0. */
  readonly line: number;
}

export interface TracePage {
  readonly body: string;
  readonly spots: readonly Spot[];
}

export function tracePage(obligation: string, answer: TraceAnswer | undefined): TracePage {
  const writer = new Writer();
  const runs = answer?.traces ?? [];
  const foot = `<p class="note">obligation <code>${escape(obligation)}</code></p>`;
  if (runs.length > 0) return { body: runs.map((run) => writer.run(run)).join("\n") + foot, spots: writer.spots };
  const [headline = "", ...rest] = (answer?.text.trim() ?? "No run is known.").split("\n");
  const more = rest.length === 0 ? "" : `<pre>${escape(rest.join("\n"))}</pre>`;
  return { body: `<h1>${ticked(headline)}</h1>${more}${foot}`, spots: [] };
}

class Writer {
  readonly spots: Spot[] = [];

  run(run: FailingRun): string {
    const confirmed = run.confirmed ?? run.verdict === "confirmed";
    const badge = `<span class="badge">${confirmed ? "confirmed by replay" : "candidate, not confirmed"}</span>`;
    const doubt = run.unconfirmed ? ` <span>${ticked(run.unconfirmed)}</span>` : "";
    return [`<h1>${ticked(run.message)}</h1><p class="note">${badge}${doubt}</p>`, this.facts(run), this.orders(run), this.conjuncts(run), conclusion(run), this.steps(run)].join("");
  }

  private facts({ facts = [] }: FailingRun): string {
    const rows = facts.map(({ label, text, at }) => `<tr><th>${escape(label)}</th><td>${ticked(text)}</td><td>${this.link(at)}</td></tr>`);
    return rows.length === 0 ? "" : `<table>${rows.join("")}</table>`;
  }

  private orders({ columns = [] }: FailingRun): string {
    const tables = columns.map(({ title, steps }) => {
      const rows = steps.map((step) => `<tr><td>${this.link(placeOf(step))}</td><td>${ticked(step.what)}</td><td>${values(step)}</td></tr>`);
      return `<div><h2>${ticked(title)}</h2><table>${rows.join("")}</table></div>`;
    });
    return tables.length === 0 ? "" : `<div class="orders">${tables.join("")}</div>`;
  }

  private conjuncts({ conjuncts = [] }: FailingRun): string {
    if (conjuncts.length === 0) return "";
    const items = conjuncts.map((one) => `<li class="depth${Math.min(Math.max(one.depth, 0), 4)}">${holds(one)} ${escape(one.text)}${known(one)} ${this.link(one.at)}</li>`);
    return `<h2>The condition that fails</h2><ul class="conjuncts">${items.join("")}</ul>`;
  }

  private steps({ steps = [] }: FailingRun): string {
    if (steps.length === 0) return "";
    const threads = [...new Set(steps.map((step) => step.thread ?? ""))];
    const heads = threads.map((thread) => `<th class="lane">${escape(thread === "" ? "step" : thread)}</th>`).join("");
    const rows = steps.map((step) => {
      const lanes = threads.map((thread) => ((step.thread ?? "") === thread ? `<td>${ticked(step.what)}<br>${values(step)}</td>` : "<td></td>"));
      return `<tr><td>${this.link(placeOf(step))}</td>${lanes.join("")}</tr>`;
    });
    return `<h2>The run</h2><table><tr><th></th>${heads}</tr>${rows.join("")}</table>`;
  }

  private link(at: Step["at"]): string {
    if (at === null || at === undefined) return "";
    const { line } = at.range.start;
    this.spots.push({ uri: at.uri, line });
    return `<button class="link" data-place="${this.spots.length - 1}">line ${line + 1}</button>`;
  }
}

function placeOf(step: Step): Step["at"] {
  return step.at ?? step.location;
}

function values({ changes = [] }: Step): string {
  return `<span class="values">${changes.map(({ name, value }) => escape(`${name} = ${value}`)).join("<br>")}</span>`;
}

function holds({ holds: value }: Conjunct): string {
  if (value === null) return `<span class="unknown">?</span>`;
  return value ? `<span class="proved">✓</span>` : `<span class="failed">✗</span>`;
}

function known({ values: value }: Conjunct): string {
  const text = typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
  return text === "" || text === "[]" ? "" : ` <span class="note">${escape(text)}</span>`;
}

function conclusion({ conclusion: lines = [] }: FailingRun): string {
  return lines.map((line) => `<p>${ticked(line)}</p>`).join("");
}

/** `name` in back ticks becomes code. */
function ticked(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}
