import assert from "node:assert/strict";
import { test } from "node:test";
import { Book, countsOf } from "../../src/state/book.js";
import { standingOf, worst } from "../../src/state/standing.js";
import { URI, entry, lines, message, obligations } from "./samples.js";

test("a message replaces the one before", () => {
  const book = new Book();
  book.record(message([entry("a", "proved"), entry("b", "failed")]));
  book.record(message([entry("b", "proved")]));
  assert.deepEqual(book.get(URI)?.obligations.map((one) => one.id), ["b"]);
});

test("an edit makes everything stale, nothing is lost", () => {
  const book = new Book();
  const heard: string[] = [];
  book.changed.listen((uri) => heard.push(uri));
  book.record(message([entry("a", "proved"), entry("b", "failed")]));
  book.age(URI);
  assert.deepEqual(book.get(URI)?.obligations.map((one) => one.standing), ["stale", "stale"]);
  assert.deepEqual(heard, [URI, URI]);
});

test("a closed document is forgotten", () => {
  const book = new Book();
  book.record(message([entry("a", "proved")]));
  book.forget(URI);
  assert.equal(book.get(URI), undefined);
});

test("nothing but a current proof counts as proved", () => {
  assert.equal(standingOf("proved", null, false), "proved");
  assert.equal(standingOf("proved", null, true), "stale");
  assert.equal(standingOf("verified", null, false), "unknown");
  assert.equal(standingOf("unknown", "out of time", false), "timeout");
  assert.equal(standingOf("unknown", "not supported", false), "unknown");
});

test("the flag of an entry goes before that of the message", () => {
  const book = new Book();
  book.record(message([entry("a", "proved", { stale: false }), entry("b", "proved", { stale: true })], { stale: true }));
  assert.deepEqual(book.get(URI)?.obligations.map((one) => one.standing), ["proved", "stale"]);
});

test("a group stands as its worst member", () => {
  assert.equal(worst(["proved", "failed", "timeout"]), "failed");
  assert.equal(worst(["proved", "skipped"]), "proved");
  assert.equal(worst(["proved", "trusted"]), "trusted");
  assert.equal(worst([]), undefined);
});

test("counts", () => {
  const all = obligations(entry("a", "proved"), entry("b", "failed"), entry("c", "timeout"), entry("d", "skipped"), entry("e", "trusted"));
  assert.deepEqual(countsOf(all), { settled: 3, trusted: 1, failed: 1, undecided: 1, stale: 0, total: 5 });
});

test("places are lines", () => {
  const [one] = obligations(entry("a", "failed", { range: lines(7, 12), nameRange: lines(8, 8), failures: [lines(9, 9)] }));
  assert.deepEqual(one?.place, { first: 7, last: 12, head: 8 });
  assert.deepEqual(one.failures, [9]);
});
