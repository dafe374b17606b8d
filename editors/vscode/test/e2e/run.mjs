// The packed extension in a real VS Code workbench: from a failing proof to a proved program, then restarts and wrong
// binaries. Screenshots are kept in target/vscode/e2e. What cannot be installed is said, and the test is skipped.
//
// `node test/e2e/run.mjs [--binary PATH] [--picture PATH]`: the `civl` to pack, target/release/civl if none is named; where
// to put the picture of a failing proof that the READMEs show.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Workbench } from "./workbench.mjs";
import { tools } from "./tools.mjs";
import { scenarios } from "./scenarios.mjs";

const WHOLE_MS = 420_000;
const root = fileURLToPath(new URL("../..", import.meta.url));
const target = join(root, "..", "..", "target");
const { values } = parseArgs({ options: { binary: { type: "string" }, picture: { type: "string" } } });
const binary = resolve(values.binary ?? join(target, "release", "civl"));

const found = tools();
if (found.missing !== undefined) {
  console.log(`skipped: the test in VS Code (${found.missing})`);
  process.exit(0);
}
assert(existsSync(binary), `there is no ${binary}`);

function pack() {
  const platform = `${process.platform}-${process.arch}`;
  execFileSync(process.execPath, [join(root, "scripts", "pack.mjs"), "--target", platform, "--binary", binary], { stdio: "inherit" });
  const driver = join(target, "vscode", "driver.vsix");
  const flags = ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", driver];
  execFileSync(join(root, "node_modules", ".bin", "vsce"), flags, { cwd: join(root, "test", "e2e", "driver"), stdio: ["ignore", "ignore", "pipe"] });
  return [join(target, "vscode", `civl-${platform}.vsix`), driver];
}

const folder = mkdtempSync(join(tmpdir(), "civl-vscode-e2e-"));
const artefacts = join(target, "vscode", "e2e");
rmSync(artefacts, { recursive: true, force: true });
const began = Date.now();
let workbench;
const watchdog = setTimeout(async () => {
  await failed(`the test in VS Code took longer than ${WHOLE_MS / 1000} s`);
  await workbench?.stop();
  process.exit(1);
}, WHOLE_MS);

/** Says what went wrong and where the evidence is. */
async function failed(why) {
  console.error(`FAILED: ${why}`);
  const kept = await workbench?.keepEvidence().catch((error) => String(error));
  if (kept !== undefined) console.error(`evidence: ${kept} (screenshot, logs of the extension and of the editor)`);
  process.exitCode = 1;
}

try {
  const vsixes = pack();
  workbench = await Workbench.start({ tools: found, folder, vsixes, artefacts });
  copyFileSync(join(root, "examples", "museum.bpl"), join(workbench.workspace, "museum.bpl"));
  workbench.picture = values.picture === undefined ? undefined : resolve(values.picture);
  workbench.undecidable = join(root, "..", "..", "tests", "timeouts", "matching_loop.bpl");
  for (const [name, run] of scenarios) {
    const start = Date.now();
    await run(workbench);
    console.log(`ok: ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  }
  console.log(`screenshots: ${readdirSync(artefacts).length} in ${artefacts}`);
  console.log(`the test in VS Code passed (${((Date.now() - began) / 1000).toFixed(0)} s)`);
} catch (error) {
  await failed(error.stack ?? error);
} finally {
  clearTimeout(watchdog);
  await workbench?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
