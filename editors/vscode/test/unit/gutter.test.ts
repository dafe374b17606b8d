import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SIGNS, declarationName, signs } from "../../src/state/gutter.js";
import type { Sign } from "../../src/state/gutter.js";
import { entry, lines, obligations } from "./samples.js";

const LETTERS: Record<Sign, string> = {
  proved: "P", failed: "F", context: "|", stale: "s", queued: "q", running: "r", timeout: "T", unknown: "?", skipped: "-", trusted: "t",
};

/** The gutter of the first lines as one string, a letter per line. */
function picture(found: Map<number, Sign>, count: number): string {
  return Array.from({ length: count }, (_, line) => LETTERS[found.get(line) ?? "proved"].replace(/P/, found.has(line) ? "P" : ".")).join("");
}

const count = { owner: "Count", range: lines(1, 4), nameRange: lines(1, 1) };
const back = { owner: "SetBack", range: lines(6, 8), nameRange: lines(6, 6) };

test("a proved file is quiet", () => {
  const all = obligations(entry("a", "proved", count), entry("b", "proved", back));
  assert.equal(picture(signs(all, [], true), 10), ".P....P...");
});

test("a failure has a line and a context", () => {
  const all = obligations(entry("a", "failed", { ...count, failures: [lines(2, 2)] }), entry("b", "proved", count), entry("c", "proved", back));
  assert.equal(picture(signs(all, [], true), 10), ".|F||.P...");
  assert.equal(picture(signs(all, [], false), 10), ".|F...P...");
});

test("a failure may lie in another declaration", () => {
  const all = obligations(entry("a", "failed", { ...count, failures: [lines(7, 7)] }), entry("b", "proved", back));
  assert.equal(picture(signs(all, [], true), 10), ".||||.PF..");
});

test("each standing has its own sign", () => {
  for (const [state, letter] of [["timeout", "T"], ["unknown", "?"], ["queued", "q"], ["running", "r"], ["skipped", "-"], ["trusted", "t"]] as const) {
    assert.equal(picture(signs(obligations(entry("a", state, count)), [], true), 3), `.${letter}.`);
  }
  assert.equal(picture(signs(obligations(entry("a", "proved", { ...count, stale: true })), [], true), 3), ".s.");
});

test("errors without obligation are failed lines, old ones are stale", () => {
  assert.equal(picture(signs([], [{ line: 0, stale: false }, { line: 2, stale: true }], true), 3), "F.s");
});

test("an anonymous action belongs to its procedure", () => {
  assert.equal(declarationName("action@Count"), "Count");
  assert.equal(declarationName("Count"), "Count");
});

test("there is a picture for every sign", () => {
  for (const sign of SIGNS) assert(existsSync(join(process.env["CIVL_VSCODE_ROOT"]!, "images", "gutter", `${sign}.svg`)), sign);
});
