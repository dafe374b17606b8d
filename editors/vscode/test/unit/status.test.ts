import assert from "node:assert/strict";
import { test } from "node:test";
import { countsOf } from "../../src/state/book.js";
import { statusWords } from "../../src/state/status.js";
import { entry, obligations } from "./samples.js";

const progress = { version: 1, phase: "verifying", done: 3, total: 9, solver: "z3" };
const counts = (...states: string[]): ReturnType<typeof countsOf> => countsOf(obligations(...states.map((state, nth) => entry(String(nth), state))));

test("without a server the bar says so", () => {
  assert.equal(statusWords("missing", undefined, undefined).tone, "error");
  assert.match(statusWords("missing", undefined, undefined).tooltip, /civl\.server\.path/);
  assert.match(statusWords("stopped", progress, counts("proved")).text, /disconnect/);
});

test("while verifying it counts, never above the total", () => {
  assert.equal(statusWords("running", progress, undefined).text, "$(sync~spin) CIVL 3 of 9");
  assert.equal(statusWords("running", { ...progress, done: 11 }, undefined).text, "$(sync~spin) CIVL 9 of 9");
});

test("a check mark needs every obligation", () => {
  const text = (...states: string[]): string => statusWords("running", undefined, counts(...states)).text;
  assert.equal(text("proved", "skipped"), "$(check) CIVL 2 of 2");
  assert.equal(text("proved", "failed"), "$(error) CIVL 1 of 2");
  assert.equal(text("proved", "timeout"), "$(question) CIVL 1 of 2");
  assert.equal(text("proved", "trusted"), "$(shield) CIVL 2 of 2");
  assert.equal(text("proved", "stale"), "$(history) CIVL 1 of 2");
  assert.equal(text("proved", "queued"), "$(circle-outline) CIVL 1 of 2");
});
