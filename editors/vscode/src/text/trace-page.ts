// A failing run as a page.
//
// In: the text of `civl/trace`. Out: safe markup; a step `line 24  at entry  x = 1` becomes a row whose line can be
// clicked, every other line stays as it is.

import { escape } from "./html.js";

const STEP = /^\s*line (\d+)\s+(.*?)(?:\s{2,}(.*))?$/;

export function tracePage(obligation: string, text: string): string {
  const [headline = "", ...rest] = text.trim().split("\n");
  return `<h1>${ticked(headline)}</h1><p class="note"><code>${escape(obligation)}</code></p>${blocks(rest).map(render).join("\n")}`;
}

type Block = { readonly steps: RegExpExecArray[] } | { readonly words: string[] };

function blocks(lines: readonly string[]): Block[] {
  const found: Block[] = [];
  for (const line of lines) {
    const step = STEP.exec(line);
    const last = found.at(-1);
    if (step !== null) {
      if (last !== undefined && "steps" in last) last.steps.push(step);
      else found.push({ steps: [step] });
    } else if (last !== undefined && "words" in last) last.words.push(line);
    else found.push({ words: [line] });
  }
  return found;
}

function render(block: Block): string {
  if ("words" in block) {
    const text = block.words.join("\n").replace(/^\n+|\n+$/g, "");
    if (text === "") return "";
    return /^\s/m.test(text) || text.includes("\n") ? `<pre>${escape(text)}</pre>` : `<p>${ticked(text)}</p>`;
  }
  const rows = block.steps.map(([, line = "", what = "", values = ""]) => {
    const place = `<button class="link" data-line="${escape(line)}">line ${escape(line)}</button>`;
    return `<tr><td>${place}</td><td>${escape(what)}</td><td class="code">${escape(values)}</td></tr>`;
  });
  return `<table><tr><th>where</th><th>what</th><th>values</th></tr>${rows.join("")}</table>`;
}

/** `name` in back ticks becomes code. */
function ticked(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}
