// Pages for web views: parts of the page that `civl verify --report` writes, in the colours of the editor.
//
// The server writes the markup and escapes everything that comes from a program. The content policy allows no script and no
// style but those with the nonce of the page, and nothing from a network.

import { randomBytes } from "node:crypto";
import type { PageAnswer } from "../server/protocol.js";

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

/** The page names its colours; here they become those of the theme. */
const THEME = `
:root {
  --text: var(--vscode-foreground); --quiet: var(--vscode-descriptionForeground); --page: var(--vscode-editor-background);
  --card: var(--vscode-editor-background); --line: var(--vscode-panel-border); --accent: var(--vscode-textLink-foreground);
  --good: var(--vscode-testing-iconPassed); --bad: var(--vscode-testing-iconFailed); --open: var(--vscode-testing-iconQueued);
  --good-back: transparent; --bad-back: transparent; --open-back: transparent;
  --code: var(--vscode-textCodeBlock-background); --shade: var(--vscode-list-hoverBackground);
}
body { font: var(--vscode-font-size) / 1.5 var(--vscode-font-family); padding: 0; }
code, pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
section > h2, .finding > pre { display: none; }
.badge { border: 1px solid currentcolor; }
[data-line] { cursor: pointer; color: var(--accent); }
[data-line]:hover { text-decoration: underline; }
`;

/** What is about a place becomes a link, and the extension is told what was chosen. */
const SCRIPT = `
const api = acquireVsCodeApi();
for (const place of document.querySelectorAll("[data-line]")) {
  place.tabIndex = 0;
  place.setAttribute("role", "link");
}
const chosen = (event) => {
  const source = event.target.closest("[data-line],[data-obligation]");
  if (!source) return;
  event.preventDefault();
  api.postMessage({ file: source.dataset.file, line: source.dataset.line, obligation: source.dataset.obligation });
};
document.addEventListener("click", chosen);
document.addEventListener("keydown", (event) => { if (event.key === "Enter") chosen(event); });
`;

/** A whole page around what the server wrote. */
export function page(title: string, part: PageAnswer, nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<title>${escape(title)}</title><style nonce="${nonce}">${part.style}${THEME}</style></head>
<body>${part.body}<script nonce="${nonce}">${part.script}</script><script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}
