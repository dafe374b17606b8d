import assert from "node:assert/strict";
import { test } from "node:test";
import type { TraceAnswer } from "../../src/server/protocol.js";
import { escape, page, policy } from "../../src/text/html.js";
import { matrixPage } from "../../src/text/matrix-page.js";
import { tracePage } from "../../src/text/trace-page.js";
import { URI, lines } from "./samples.js";

const EVIL = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const at = (line: number): { uri: string; range: ReturnType<typeof lines> } => ({ uri: URI, range: lines(line, line) });
const answer = (more: Partial<TraceAnswer>): TraceAnswer => ({ version: 1, text: "", ...more });

test("nothing of a program is markup", () => {
  const step = { what: EVIL, thread: EVIL, changes: [{ name: EVIL, value: EVIL }], at: at(3) };
  const run = {
    message: EVIL, unconfirmed: EVIL, facts: [{ label: EVIL, text: EVIL }], columns: [{ title: EVIL, steps: [step] }],
    conjuncts: [{ depth: 1, holds: false, text: EVIL, values: [EVIL] }], conclusion: [EVIL], steps: [step],
  };
  const bodies = [
    tracePage(EVIL, answer({ traces: [run] })).body,
    tracePage(EVIL, answer({ text: `${EVIL}\n${EVIL}` })).body,
    matrixPage({ version: 1, text: EVIL, pairs: [{ first: EVIL, second: EVIL, checks: [{ id: EVIL, kind: EVIL, state: "failed", reason: EVIL }] }] }),
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

test("steps stand in a column per thread, and their places can be clicked", () => {
  const steps = [
    { what: "at entry", thread: "this thread", changes: [{ name: "x", value: "1" }], at: at(23) },
    { what: "interferes", thread: "other threads", changes: [], at: null },
  ];
  const { body, spots } = tracePage("id", answer({ traces: [{ message: "`P` fails", confirmed: true, steps }] }));
  assert.match(body, /<h1><code>P<\/code> fails<\/h1>.*confirmed by replay/);
  assert.match(body, /<th class="lane">this thread<\/th><th class="lane">other threads<\/th>/);
  assert.match(body, /data-place="0">line 24<\/button><\/td><td>at entry<br><span class="values">x = 1<\/span><\/td><td><\/td>/);
  assert.deepEqual(spots, [{ uri: URI, line: 23 }]);
});

test("what replay has not confirmed is a candidate", () => {
  for (const run of [{ message: "m" }, { message: "m", verdict: "candidate" }, { message: "m", confirmed: false }]) {
    assert.match(tracePage("id", answer({ traces: [run] })).body, /candidate, not confirmed/);
  }
});

test("two orders stand side by side", () => {
  const columns = [{ title: "A ; B", steps: [{ what: "after A" }] }, { title: "B ; A", steps: [{ what: "after B" }] }];
  assert.match(tracePage("id", answer({ traces: [{ message: "m", columns }] })).body, /<h2>A ; B<\/h2>.*after A.*<h2>B ; A<\/h2>.*after B/);
});

test("without a run there is the text of the terminal", () => {
  assert.match(tracePage("id", answer({ text: "headline\n  more" })).body, /<h1>headline<\/h1><pre> {2}more<\/pre>/);
  assert.match(tracePage("id", undefined).body, /No run is known/);
});

test("a cell shows its worst check and opens the failed one", () => {
  const check = (id: string, state: string): { id: string; kind: string; state: string } => ({ id, kind: "commutativity", state });
  const body = matrixPage({
    version: 1,
    text: "",
    pairs: [
      { layer: 1, first: "A", second: "B", checks: [check("c1", "proved"), check("g1", "failed")] },
      { layer: 1, first: "B", second: "A", checks: [check("c2", "skipped")] },
      { layer: 1, first: "A", second: null, checks: [check("n1", "proved")] },
    ],
  });
  assert.match(body, /data-obligation="g1">✗</);
  assert.match(body, /title="c2: skipped">–</);
  assert.match(body, /alone/);
});

test("without pairs the matrix says what to do", () => {
  assert.match(matrixPage(undefined), /Verify the file first/);
});
