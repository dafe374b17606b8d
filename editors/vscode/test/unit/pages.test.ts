import assert from "node:assert/strict";
import { test } from "node:test";
import { escape, page, policy, serverPage } from "../../src/text/html.js";
import { matrixPage } from "../../src/text/matrix-page.js";
import { tracePage } from "../../src/text/trace-page.js";
import { entry, obligations } from "./samples.js";

const EVIL = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;

test("nothing of a program is markup", () => {
  const bodies = [
    tracePage(EVIL, `${EVIL}\nline 3  ${EVIL}  x = ${EVIL}\n${EVIL}`),
    matrixPage(obligations(entry(EVIL, "failed", { owner: EVIL, partner: EVIL, reason: EVIL })), EVIL),
  ];
  for (const body of bodies) {
    assert(!body.includes("<img") && !body.includes("<script"), body);
    assert(body.includes(escape(EVIL)));
  }
});

test("the policy allows our nonce only", () => {
  const html = page("title", "<p>body</p>", "abc");
  assert(html.includes(policy("abc")));
  assert.match(policy("abc"), /^default-src 'none';/);
  assert(!/unsafe|https?:/.test(policy("abc")));
  assert.equal(html.match(/<script/g)?.length, 1);
  assert(!/<(script|style)(?! nonce="abc")/.test(html));
});

test("a page of the server gets the policy and the nonce", () => {
  const html = serverPage("<!doctype html><html><head><style>a{}</style></head><body>x<script>1</script></body></html>", "abc");
  assert(html.includes(`<head><meta http-equiv="Content-Security-Policy" content="${policy("abc")}">`));
  assert(!/<(script|style)(?! nonce="abc")/.test(html));
});

test("steps of a run are rows whose line can be clicked", () => {
  const body = tracePage("commutativity(SetBack, Count)", "`SetBack` fails\na run that fails:\n  line 15  before         visitors = 2\n  line 9   after Count    visitors = 1\n");
  assert.match(body, /<h1><code>SetBack<\/code> fails<\/h1>/);
  assert.match(body, /<p>a run that fails:<\/p>/);
  assert.match(body, /data-line="15">line 15<\/button><\/td><td>before<\/td><td class="code">visitors = 2<\/td>/);
  assert.equal(body.match(/<tr>/g)?.length, 3);
});

test("a cell shows its worst check and opens the failed one", () => {
  const all = obligations(
    entry("c1", "proved", { owner: "A", partner: "B" }),
    entry("g1", "failed", { kind: "gate-preservation", owner: "A", partner: "B", reason: "why" }),
    entry("c2", "skipped", { owner: "B", partner: "A" }),
    entry("r", "proved", { kind: "refinement", owner: "P", partner: "Q" }),
  );
  const body = matrixPage(all, "");
  assert.match(body, /data-obligation="g1">✗</);
  assert.match(body, /title="c2: skipped">–</);
  assert(!body.includes("refinement"));
});

test("without pairs the matrix says what to do", () => {
  assert.match(matrixPage([], ""), /Verify the file first/);
});
