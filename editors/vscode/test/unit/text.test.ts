import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { layerAddress, readLayerAddress } from "../../src/text/addresses.js";
import { reportText } from "../../src/text/report.js";

const root = process.env["CIVL_VSCODE_ROOT"]!;

test("the address of a layer view names its source and looks like a file", () => {
  const address = layerAddress({ source: "file:///w/a%20b.bpl", layer: 2 });
  assert.equal(address.path, "/w/a b@layer2.bpl");
  assert.deepEqual(readLayerAddress(address.query), { source: "file:///w/a%20b.bpl", layer: 2 });
});

test("a made-up address names nothing", () => {
  for (const query of ["", "{", "null", "{}", `{"source":1,"layer":2}`]) assert.equal(readLayerAddress(query), undefined);
});

test("a report holds what was chosen, and says that nothing was sent", () => {
  const text = reportText({ settings: { "civl.jobs": 1 }, log: ["a", "```", "b"] });
  assert.match(text, /has not been sent/);
  assert.match(text, /"civl\.jobs": 1/);
  assert.match(text, /````text\na\n```\nb\n````/);
  assert(!text.includes("## Versions"));
});

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly { readonly properties: Record<string, unknown> }[];
  };
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

test("every command of the manifest is there, and no other", () => {
  const registered = readFileSync(join(root, "src", "commands", "register.ts"), "utf8").match(/"civl\.\w+"/g) ?? [];
  const declared = manifest.contributes.commands.map(({ command }) => JSON.stringify(command));
  assert.deepEqual([...registered].sort(), declared.sort());
});

test("at most 25 settings", () => {
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  assert(settings.length <= 25, String(settings.length));
});

test("the lock file names no registry", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const hosts = [...lock.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map(([, host]) => host);
  assert.deepEqual(hosts.filter((host) => host !== "registry.npmjs.org"), []);
});
