import assert from "node:assert/strict";
import { test } from "node:test";
import { complaintAbout, findServer } from "../../src/server/binary.js";
import type { Places } from "../../src/server/binary.js";

function places(files: readonly string[], more: Partial<Places> = {}): Places {
  return { setting: "", extensionFolder: "/ext", home: "/home/me", path: "/bin:/usr/bin", windows: false, isFile: (path) => files.includes(path), ...more };
}

test("the setting comes first", () => {
  const found = findServer(places(["/my/civl", "/ext/server/civl"], { setting: "/my/civl" }));
  assert.deepEqual(found, { kind: "found", path: "/my/civl", origin: "setting" });
});

test("a wrong setting is not silently replaced", () => {
  const found = findServer(places(["/ext/server/civl"], { setting: "/my/civl" }));
  assert.match(found.kind === "missing" ? found.message : "", /civl\.server\.path.*\/my\/civl.*no such file/);
});

test("the home folder may be abbreviated", () => {
  assert.deepEqual(findServer(places(["/home/me/civl"], { setting: "~/civl" })), { kind: "found", path: "/home/me/civl", origin: "setting" });
});

test("a relative setting is refused", () => {
  assert.equal(findServer(places(["./civl"], { setting: "./civl" })).kind, "missing");
});

test("the bundled server comes before the one on the path", () => {
  assert.deepEqual(findServer(places(["/usr/bin/civl", "/ext/server/civl"])), { kind: "found", path: "/ext/server/civl", origin: "bundled" });
  assert.deepEqual(findServer(places(["/usr/bin/civl"])), { kind: "found", path: "/usr/bin/civl", origin: "path" });
});

test("without any server the message says what to do", () => {
  const found = findServer(places([]));
  assert.match(found.kind === "missing" ? found.message : "", /cargo build.*civl\.server\.path/);
});

test("relative folders of the path are not searched", () => {
  assert.equal(findServer(places(["civl", "./civl"], { path: "." })).kind, "missing");
});

test("a right server gets no complaint", () => {
  assert.equal(complaintAbout("/civl", { output: "civl 0.1.0\nz3 4.15.4\n" }), undefined);
  assert.equal(complaintAbout("/civl", { output: "civl 2.0.0\n" }), undefined);
});

test("another program is named with what it printed", () => {
  assert.match(complaintAbout("/bin/ls", { output: "ls (GNU coreutils) 9.1\n" }) ?? "", /is not the program `civl`.*GNU coreutils/);
  assert.match(complaintAbout("/bin/true", { output: "" }) ?? "", /printed no version/);
});

test("an older server is refused", () => {
  assert.match(complaintAbout("/civl", { output: "civl 0.0.9\n" }) ?? "", /civl 0\.0\.9; this extension needs 0\.1\.0/);
});

test("a program that does not run is named with the reason", () => {
  assert.match(complaintAbout("/civl", { output: "", failure: "permission denied" }) ?? "", /cannot be run: permission denied/);
});
