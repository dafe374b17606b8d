// Pages for web views.
//
// Nothing that comes from a program is ever markup: text reaches a page through `escape` only, and the content policy
// allows no script and no style but those with the nonce of the page, and nothing from a network.

import { randomBytes } from "node:crypto";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

export function newNonce(): string {
  return randomBytes(16).toString("hex");
}

export function policy(nonce: string): string {
  return `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
}

const STYLE = `
body { font: var(--vscode-font-size) / 1.5 var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1.2rem 2rem; }
h1 { font-size: 1.25em; font-weight: 600; margin: 1.1rem 0 .3rem; }
p.note { color: var(--vscode-descriptionForeground); margin: .2rem 0 1rem; }
code, pre, td.code { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { background: var(--vscode-textCodeBlock-background); padding: .7rem .9rem; overflow: auto; border-radius: 4px; }
table { border-collapse: collapse; }
caption { text-align: left; color: var(--vscode-descriptionForeground); padding-bottom: .3rem; }
td, th { padding: .25rem .8rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--vscode-panel-border); }
button.link { all: unset; cursor: pointer; color: var(--vscode-textLink-foreground); font: inherit; }
button.link:hover { text-decoration: underline; }
button.link:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
.badge { display: inline-block; border-radius: 9px; padding: 0 .6rem; font-size: .85em; background: var(--vscode-badge-background); color: var(--vscode-badge-foreground); }
h2 { font-size: 1em; font-weight: 600; margin: 1.2rem 0 .3rem; }
.orders { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.lane { min-width: 9rem; }
.values { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); color: var(--vscode-debugTokenExpression-value, inherit); }
ul.conjuncts { list-style: none; padding: 0; margin: .3rem 0; font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
.depth1 { padding-left: 1.2rem; } .depth2 { padding-left: 2.4rem; } .depth3 { padding-left: 3.6rem; } .depth4 { padding-left: 4.8rem; }
.matrix th.column { writing-mode: vertical-rl; transform: rotate(180deg); padding: .3rem; font-weight: normal; }
.matrix td { text-align: center; min-width: 1.8rem; padding: .25rem .4rem; }
.matrix th.row { font-weight: normal; padding-right: 1rem; }
.proved { color: var(--vscode-testing-iconPassed); }
.failed, button.link.failed { color: var(--vscode-testing-iconFailed); font-weight: bold; }
.timeout, .unknown { color: var(--vscode-testing-iconQueued); }
.skipped, .stale, .queued, .running { color: var(--vscode-descriptionForeground); }
`;

/** Buttons with `data-…` attributes tell the extension what was clicked. */
const SCRIPT = `
const api = acquireVsCodeApi();
document.addEventListener("click", (event) => {
  const source = event.target.closest("[data-place],[data-obligation]");
  if (source) api.postMessage({ place: source.dataset.place, obligation: source.dataset.obligation });
});
`;

/** A whole page around a body that is already safe markup. */
export function page(title: string, body: string, nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<title>${escape(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body>${body}<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}
