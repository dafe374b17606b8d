import assert from "node:assert/strict";
import { test } from "node:test";
import { Crashes } from "../../src/server/crashes.js";

test("the fourth crash within three minutes is the last", () => {
  const crashes = new Crashes();
  assert.deepEqual([0, 1000, 2000, 3000].map((now) => crashes.mayStartAgain(now)), [true, true, true, false]);
});

test("crashes that are long ago do not count", () => {
  const crashes = new Crashes();
  const times = [0, 100_000, 200_000, 300_000, 400_000];
  assert.deepEqual(times.map((now) => crashes.mayStartAgain(now)), times.map(() => true));
});
