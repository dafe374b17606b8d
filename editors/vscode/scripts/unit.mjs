// Runs the unit tests: each test/unit/*.test.ts is bundled and given to node's test runner.
import * as esbuild from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./build.mjs";

const folder = join(root, "test", "unit");
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
const outdir = mkdtempSync(join(tmpdir(), "civl-vscode-unit-"));
try {
  await esbuild.build({
    entryPoints: tests.map((name) => join(folder, name)),
    outdir,
    bundle: true,
    platform: "node",
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = tests.map((name) => join(outdir, name.replace(/\.ts$/, ".cjs")));
  const env = { ...process.env, CIVL_VSCODE_ROOT: root };
  const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", ...files], { stdio: "inherit", env });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
