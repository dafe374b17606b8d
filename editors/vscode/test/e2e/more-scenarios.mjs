// Scenarios that start with a program that is proved and leave it so: layers side by side, a problem report, the whole
// workspace, runs from the Test Explorer, the walkthrough.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LINES, STATUS, TESTS, openTests, proved, save, shows, type } from "./steps.mjs";
import { PATIENCE_MS, doUntil, until } from "./workbench.mjs";

export const moreScenarios = [
  ["two layers stand side by side", diffLayers],
  ["a problem report can be read before it is sent", reportProblem],
  ["the workspace is verified", verifyWorkspace],
  ["a run starts in the Test Explorer", runTests],
  ["a run is cancelled in the Test Explorer", cancelTests],
  ["the walkthrough opens its example", walkthrough],
];

async function diffLayers(workbench) {
  const compare = async () => {
    const asks = (words) => () => workbench.page.locator(`.quick-input-widget input[placeholder*="${words}"]`).isVisible();
    await workbench.command("CIVL: Compare Two Layers", asks("Compare which layer"));
    await workbench.accept("Layer 1", "Layer 1");
    await until(asks("with layer 1"), PATIENCE_MS, "no second layer is asked for");
    await workbench.accept("Layer 2", "Layer 2");
  };
  await doUntil(compare, shows(workbench, ".tab", "museum.bpl: layer 1 ↔ 2"), "no comparison opens");
  await until(async () => /refines COUNT|Count/.test(await workbench.text(".monaco-diff-editor")), PATIENCE_MS, "the comparison is empty");
  await workbench.shot("two-layers");
  await closeAll(workbench);
}

async function reportProblem(workbench) {
  const report = async () => {
    await workbench.command("CIVL: Report a Problem", shows(workbench, ".quick-input-list .monaco-list-row", "Server log"));
    await workbench.page.keyboard.press("Enter");
  };
  const written = async () => /Problem report[^]*civl-analyzer \d+\.\d+\.\d+[^]*z3/.test(await workbench.text(LINES));
  await doUntil(report, written, "no report is written", () => workbench.text(LINES));
  await workbench.shot("problem-report");
  await workbench.open("museum.bpl");
  await proved(workbench);
}

/** A file that nobody opened is proved with the others. */
async function verifyWorkspace(workbench) {
  writeFileSync(join(workbench.workspace, "annex.bpl"), readFileSync(join(workbench.workspace, "museum.bpl"), "utf8").replaceAll("visitors", "guests"));
  await openTests(workbench, "museum.bpl");
  await workbench.command("CIVL: Verify Workspace", shows(workbench, TESTS, "annex.bpl"));
  const passed = workbench.page.locator(TESTS, { hasText: "annex.bpl" }).locator(".codicon-testing-passed-icon");
  await until(() => passed.first().isVisible(), PATIENCE_MS, "annex.bpl is not proved");
  await workbench.shot("workspace");
}

/** Verdicts that are older than the text become current without a save. */
async function runTests(workbench) {
  await type(workbench, "// words before a run");
  await until(async () => /\b0 of \d+/.test(await workbench.text(STATUS)), PATIENCE_MS, "nothing is stale", () => workbench.text(STATUS));
  await openTests(workbench, "museum.bpl");
  const done = async () => /\b([1-9]\d*) of \1\b/.test(await workbench.text(STATUS));
  await doUntil(() => runRow(workbench, "museum.bpl"), done, "the run does nothing", () => workbench.text(STATUS));
  await workbench.shot("test-run");
  await save(workbench);
  await proved(workbench);
}

/** No solver decides this program, and its time is longer than our patience: the run ends because it is cancelled. */
async function cancelTests(workbench) {
  copyFileSync(workbench.undecidable, join(workbench.workspace, "endless.bpl"));
  await workbench.open("endless.bpl");
  await openTests(workbench, "endless.bpl");
  const spins = () => workbench.page.locator(`${STATUS} .codicon-sync`).first().isVisible();
  const stop = workbench.page.locator(".pane-header, .title-actions, .composite.title").locator(".codicon-testing-cancel-icon");
  await doUntil(() => runRow(workbench, "endless.bpl"), spins, "no run starts");
  await workbench.shot("run-to-cancel");
  await doUntil(() => stop.first().click({ timeout: 2000 }), async () => !(await spins()), "the run is not cancelled");
  await workbench.shot("cancelled");
  await workbench.open("museum.bpl");
  await proved(workbench);
}

async function walkthrough(workbench) {
  const container = ".gettingStartedContainer";
  const open = async () => {
    await workbench.command("CIVL: Show Menu", shows(workbench, ".quick-input-list .monaco-list-row", "Open walkthrough"));
    await workbench.accept("walkthrough", "Open walkthrough");
  };
  await doUntil(open, shows(workbench, container, "From a failing proof to a proved program"), "no walkthrough opens");
  await workbench.shot("walkthrough");
  const button = workbench.page.locator(`${container} .monaco-button`, { hasText: "Open the example" }).first();
  const broken = async () => (await workbench.page.locator(".squiggly-error").count()) > 0;
  await doUntil(() => button.click({ timeout: 10_000 }), broken, "the example does not open");
  await workbench.shot("walkthrough-example");
  await closeAll(workbench);
}

/** Leaves the proved program as the only editor. */
async function closeAll(workbench) {
  await workbench.command("View: Close All Editors", async () => (await workbench.page.locator(".tab").count()) === 0);
  await workbench.open("museum.bpl");
  await proved(workbench);
}

/** Presses the button that runs an item of the Test Explorer. */
async function runRow(workbench, label) {
  const row = workbench.page.locator(TESTS, { hasText: label }).first();
  await row.hover({ timeout: 5000 });
  await row.locator(".codicon-testing-run-icon").first().click({ timeout: 5000 });
}
