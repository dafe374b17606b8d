// What a person does and sees, in order; each scenario goes on where the one before stopped.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { moreScenarios } from "./more-scenarios.mjs";
import { LINES, STATUS, TESTS, newServer, openTests, proved, save, shows, sign, type, unfold } from "./steps.mjs";
import { PATIENCE_MS, doUntil, until } from "./workbench.mjs";

const ACTIVATION_GOAL_MS = 200;

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
  ...moreScenarios,
  ["a missing and a wrong binary say what to do", wrongBinaries],
];

async function activation(workbench) {
  await workbench.open();
  const measured = join(workbench.driverFolder(), "measured.json");
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
  const entry = shows(workbench, ".markers-panel .monaco-list-row", "may not be possible in the other order");
  await workbench.command("View: Focus Problems", entry);
  await workbench.shot("problems");
}

async function failingRun(workbench) {
  await workbench.goTo(13, 28);
  await workbench.command("CIVL: Show Failing Run", async () => /SET_BACK[^]*visitors/.test(await workbench.webviewText()));
  await workbench.shot("failing-run");
  if (workbench.picture !== undefined) await picture(workbench);
}

/** What the READMEs show: the run beside the program, without the lists around them. */
async function picture(workbench) {
  const gone = (selector) => async () => !(await workbench.page.locator(selector).isVisible());
  await workbench.command("View: Hide Panel", gone(".part.panel"));
  await workbench.command("View: Toggle Primary Side Bar Visibility", gone(".part.sidebar"));
  await workbench.page.screenshot({ path: workbench.picture });
  await workbench.command("View: Toggle Primary Side Bar Visibility", async () => !(await gone(".part.sidebar")()));
}

async function testExplorer(workbench) {
  const row = (label) => workbench.page.locator(TESTS, { hasText: label });
  await openTests(workbench, "museum.bpl");
  await unfold(workbench, row("museum.bpl"));
  await unfold(workbench, row(/^any layer/));
  await unfold(workbench, row(/^SET_BACK/));
  await unfold(workbench, row(/^commutativity(?!\()/));
  await workbench.see(TESTS, "commutativity(SET_BACK, COUNT)");
  await workbench.shot("test-explorer");
}

async function matrixAndLayer(workbench) {
  await workbench.open("museum.bpl");
  await workbench.page.locator(".squiggly-error").first().waitFor();
  await workbench.command("CIVL: Show Movers Matrix", async () => /✗/.test(await workbench.webviewText()));
  await workbench.shot("movers-matrix");
  await workbench.goTo(30, 1);
  await workbench.clickLens("show at layer 2", shows(workbench, ".tab", "museum@layer2.bpl"));
  await workbench.shot("layer");
}

async function quickFix(workbench) {
  await workbench.open("museum.bpl");
  await workbench.goTo(13, 28);
  await workbench.page.locator(".squiggly-error").first().waitFor();
  const offer = workbench.page.locator(".action-widget .monaco-list-row", { hasText: "make `COUNT` a non-mover" }).first();
  const offered = () => offer.isVisible();
  const changed = async () => !(await workbench.text(LINES)).includes("left action");
  await doUntil(() => workbench.page.keyboard.press("Control+."), offered, "no quick fix is offered");
  await workbench.shot("quick-fix-offered");
  const apply = async () => {
    if (!(await offered())) await workbench.page.keyboard.press("Control+.");
    await offer.click({ timeout: 10_000 });
  };
  await doUntil(apply, changed, "the repair changes nothing");
  await sign(workbench, "stale");
  await workbench.shot("quick-fix-applied");
  await save(workbench);
  await proved(workbench);
  await workbench.shot("proved");
}

async function restart(workbench) {
  const before = workbench.serverProcesses();
  await type(workbench, "// unsaved words");
  await workbench.command("CIVL: Restart Server", newServer(workbench, before));
  await backAgain(workbench);
}

async function crash(workbench) {
  const before = workbench.serverProcesses();
  await type(workbench, "// more unsaved words");
  before.forEach((pid) => process.kill(pid, "SIGKILL"));
  await until(newServer(workbench, before), PATIENCE_MS, "no new server");
  await backAgain(workbench);
}

async function wrongBinaries(workbench) {
  const toast = ".notification-toast";
  for (const [command, words, picture] of [
    ["E2E: Missing Server", /civl\.server\.path.*no such file/s, "missing-binary"],
    ["E2E: Wrong Server", /\/bin\/ls.*is not the program/s, "wrong-binary"],
  ]) {
    await workbench.command(command, shows(workbench, toast, words));
    assert.doesNotMatch(await workbench.text(toast), /failed/);
    await workbench.shot(picture);
    await workbench.command("Notifications: Clear All Notifications", async () => (await workbench.page.locator(toast).count()) === 0);
  }
  await workbench.command("E2E: Bundled Server", () => workbench.serverProcesses().length > 0);
  await proved(workbench);
}

/** Unsaved text is still there, the server knows it, and a save proves the program again. */
async function backAgain(workbench) {
  assert.match(await workbench.text(LINES), /unsaved words/);
  await save(workbench);
  await proved(workbench);
}
