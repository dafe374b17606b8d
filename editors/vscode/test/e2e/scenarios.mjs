// What a person does and sees, in order; each scenario goes on where the one before stopped.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE_MS, until } from "./workbench.mjs";

const ACTIVATION_GOAL_MS = 200;
const STATUS = '.statusbar-item[id*="civl.status"]';
const LINES = ".monaco-editor .view-lines";

export const scenarios = [
  ["the extension activates", activation],
  ["a broken program shows squiggle, gutter, lens, hint and status", brokenProgram],
  ["the Problems view has an entry", problemsEntry],
  ["the failing run opens", failingRun],
  ["the obligations are in the Test Explorer", testExplorer],
  ["the movers matrix and a layer open", matrixAndLayer],
  ["a quick fix and a save lead to a proof", quickFix],
  ["a restart of the server loses nothing", restart],
  ["a crash of the server loses nothing", crash],
  ["a missing and a wrong binary say what to do", wrongBinaries],
];

async function activation(workbench) {
  await workbench.open();
  const folder = readdirSync(workbench.extensions).find((name) => name.includes("civl-e2e-driver"));
  const measured = join(workbench.extensions, folder, "measured.json");
  await until(() => existsSync(measured), PATIENCE_MS, "the extension does not activate");
  const { activationMs } = JSON.parse(readFileSync(measured, "utf8"));
  console.log(`activation: ${activationMs.toFixed(0)} ms (goal: ${ACTIVATION_GOAL_MS} ms)`);
}

async function brokenProgram(workbench) {
  await workbench.open("museum.bpl");
  await workbench.page.locator(".squiggly-error").first().waitFor();
  await workbench.see(STATUS, /\d+ of \d+/);
  await sign(workbench, "failed");
  await sign(workbench, "proved");
  await sign(workbench, "context");
  await workbench.see(".codelens-decoration", "verify");
  await workbench.see(".codelens-decoration", "show at layer 1");
  await until(async () => /call ‹?L/.test(await workbench.text(LINES)), PATIENCE_MS, "no mover hint", () => workbench.text(LINES));
  await workbench.shot("broken-program");
}

async function problemsEntry(workbench) {
  await workbench.command("View: Focus Problems");
  await workbench.see(".markers-panel .monaco-list-row", "may not be possible in the other order");
  await workbench.shot("problems");
}

async function failingRun(workbench) {
  await workbench.goTo(13, 28);
  await workbench.command("CIVL: Show Failing Run");
  const shows = async () => /visitors/.test(await workbench.webviewText());
  await until(shows, PATIENCE_MS, "no failing run", () => workbench.webviewText());
  assert.match(await workbench.webviewText(), /SET_BACK/);
  await workbench.shot("failing-run");
}

async function testExplorer(workbench) {
  await workbench.command("Testing: Focus on Test Explorer View");
  await workbench.see(".test-explorer .monaco-list-row", "museum.bpl");
  await workbench.page.locator(".test-explorer .monaco-list-row", { hasText: "museum.bpl" }).click();
  // Each second press opens a level, the others go down to its first item.
  const open = async (presses) => { for (let nth = 0; nth < presses; nth++) await workbench.page.keyboard.press("ArrowRight"); };
  await open(3);
  await workbench.page.locator(".test-explorer .monaco-list-row", { hasText: /^SET_BACK/ }).click();
  await open(1);
  await workbench.page.locator(".test-explorer .monaco-list-row", { hasText: /^commutativity/ }).last().click();
  await open(1);
  await workbench.see(".test-explorer .monaco-list-row", "commutativity(SET_BACK, COUNT)");
  await workbench.shot("test-explorer");
}

async function matrixAndLayer(workbench) {
  await workbench.open("museum.bpl");
  await workbench.page.locator(".squiggly-error").first().waitFor();
  await workbench.command("CIVL: Show Movers Matrix");
  await until(async () => /✗/.test(await workbench.webviewText()), PATIENCE_MS, "no matrix", () => workbench.webviewText());
  await workbench.shot("movers-matrix");
  await workbench.goTo(27, 1);
  await workbench.page.locator(".codelens-decoration a", { hasText: "show at layer 2" }).first().click();
  await workbench.see(".tab", "museum@layer2.bpl");
  await workbench.shot("layer");
}

async function quickFix(workbench) {
  await workbench.open("museum.bpl");
  await workbench.goTo(13, 28);
  await workbench.page.locator(".squiggly-error").first().waitFor();
  await workbench.page.keyboard.press("Control+.");
  const offer = workbench.page.locator(".action-widget .monaco-list-row", { hasText: "make `COUNT` a non-mover" }).first();
  await offer.waitFor();
  await workbench.shot("quick-fix-offered");
  await offer.click();
  await until(async () => !(await workbench.text(LINES)).includes("left action"), PATIENCE_MS, "the repair changes nothing");
  await sign(workbench, "stale");
  await workbench.shot("quick-fix-applied");
  await workbench.page.keyboard.press("Control+s");
  await proved(workbench);
  await workbench.shot("proved");
}

async function restart(workbench) {
  const [before] = workbench.serverProcesses();
  await type(workbench, "// unsaved words");
  await workbench.command("CIVL: Restart Server");
  await until(() => workbench.serverProcesses().some((pid) => pid !== before), PATIENCE_MS, "no new server");
  await backAgain(workbench);
}

async function crash(workbench) {
  const [before] = workbench.serverProcesses();
  await type(workbench, "// more unsaved words");
  process.kill(before, "SIGKILL");
  await until(() => workbench.serverProcesses().some((pid) => pid !== before), PATIENCE_MS, "no new server");
  await backAgain(workbench);
}

async function wrongBinaries(workbench) {
  for (const [command, words] of [
    ["E2E: Missing Server", /civl\.server\.path.*no such file/s],
    ["E2E: Wrong Server", /\/bin\/ls.*is not the program/s],
  ]) {
    await workbench.command(command);
    await workbench.see(".notification-toast", words);
    await workbench.shot(command.includes("Missing") ? "missing-binary" : "wrong-binary");
    await workbench.command("Notifications: Clear All Notifications");
  }
  await workbench.command("E2E: Bundled Server");
  await proved(workbench);
}

/** Unsaved text is still there, the server knows it, and a save proves the program again. */
async function backAgain(workbench) {
  assert.match(await workbench.text(LINES), /unsaved words/);
  await workbench.page.keyboard.press("Control+s");
  await proved(workbench);
}

async function proved(workbench) {
  await until(async () => /(\d+) of \1\b/.test(await workbench.text(STATUS)), PATIENCE_MS, "not proved", () => workbench.text(STATUS));
  await workbench.goTo(32, 1);
  await until(async () => {
    const found = await workbench.gutter();
    return found.includes("proved") && found.every((name) => name === "proved" || name === "skipped");
  }, PATIENCE_MS, "the gutter is not clean", async () => String(await workbench.gutter()));
  assert.equal(await workbench.page.locator(".squiggly-error").count(), 0);
}

async function sign(workbench, name) {
  await until(async () => (await workbench.gutter()).includes(name), PATIENCE_MS, `no sign "${name}"`, async () => String(await workbench.gutter()));
}

/** Types words as a comment on the empty third line. */
async function type(workbench, words) {
  await workbench.goTo(3, 1);
  await workbench.page.keyboard.type(`${words} `);
}
