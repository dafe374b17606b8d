import assert from "node:assert/strict";
import { test } from "node:test";
import { escape, page, policy } from "../../src/text/html.js";

const part = { version: 1, style: ".a { color: red; }", script: "let a = 1;", body: "<p>body</p>" };

test("the policy allows our nonce only", () => {
  const html = page("title", part, "abc");
  assert(html.includes(policy("abc")));
  assert.match(policy("abc"), /^default-src 'none';/);
  assert(!/unsafe|https?:/.test(policy("abc")));
  assert(!/<(script|style)(?! nonce="abc")/.test(html));
});

test("the page is what the server wrote, in the colours of the editor", () => {
  const html = page("title", part, "abc");
  for (const piece of [part.style, part.script, part.body, "--text: var(--vscode-foreground)"]) assert(html.includes(piece));
});

test("the title of a page is no markup", () => {
  const evil = `<script>alert(1)</script>`;
  const html = page(evil, part, "abc");
  assert(!html.includes(evil) && html.includes(escape(evil)));
});
