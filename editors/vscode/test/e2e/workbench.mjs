// A workbench to drive: code-server with the packed extension, and a page of Chromium that shows it.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const START_MS = 120_000;
/** How long something may take to appear on a busy machine. */
export const PATIENCE_MS = Number(process.env.CIVL_E2E_PATIENCE_MS ?? 60_000);
/** After so long without any effect a person does the same thing again; each time a bit later. */
const FIRST_TRY_MS = 3_000;
const LAST_TRY_MS = 12_000;
const QUICK_INPUT = ".quick-input-widget input[type=text]";
const QUICK_ROW = ".quick-input-list .monaco-list-row";

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "window.commandCenter": false,
  "git.enabled": false,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "editor.minimap.enabled": false,
  "editor.accessibilitySupport": "off",
  "editor.fontSize": 13,
  "terminal.integrated.enablePersistentSessions": false,
  // Longer than our patience: what no solver decides ends by being cancelled, or not at all.
  "civl.timeLimit": 600,
};

export class Workbench {
  static async start({ tools, folder, vsixes, artefacts }) {
    const home = join(folder, "home");
    const workspace = join(folder, "workspace");
    const data = join(folder, "data");
    const extensions = join(folder, "extensions");
    for (const path of [home, workspace, join(data, "User"), extensions, artefacts]) mkdirSync(path, { recursive: true });
    writeFileSync(join(data, "User", "settings.json"), JSON.stringify(SETTINGS));
    const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), VSCODE_PROXY_URI: "" };
    const places = ["--user-data-dir", data, "--extensions-dir", extensions];
    for (const vsix of vsixes) {
      execFileSync(tools.node, [tools.codeServer, ...places, "--install-extension", vsix], { env, stdio: ["ignore", "ignore", "pipe"], timeout: START_MS });
    }
    const port = await freePort();
    const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
    const server = spawn(tools.node, [tools.codeServer, ...places, ...flags], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const log = [];
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => log.push(String(text)));
    await until(() => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false), START_MS, "code-server does not start", () => log.join(""));
    const browser = await tools.playwright.chromium.launch({
      executablePath: tools.browser,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const console = [];
    page.on("console", (message) => console.push(`${message.type()}: ${message.text()}\n`));
    return new Workbench({ server, browser, page, port, workspace, extensions, artefacts, log, console });
  }

  constructor(parts) {
    Object.assign(this, parts);
    this.shots = 0;
  }

  async stop() {
    await this.browser.close().catch(() => {});
    // The whole group: the extension host, and through it the server under test.
    try { process.kill(-this.server.pid, "SIGTERM"); } catch { /* it is gone already */ }
  }

  /** Shows the workspace, with a file in front if one is named. */
  async open(file) {
    const payload = file === undefined ? [] : [["openFile", `vscode-remote://127.0.0.1:${this.port}${join(this.workspace, file)}`]];
    const query = new URLSearchParams({ folder: this.workspace, payload: JSON.stringify(payload) });
    await this.page.goto(`http://127.0.0.1:${this.port}/?${query}`);
    await this.page.locator(".monaco-workbench .statusbar").waitFor({ timeout: START_MS });
    if (file !== undefined) await this.page.locator(".monaco-editor .view-line").first().waitFor({ timeout: START_MS });
  }

  async shot(name) {
    this.shots += 1;
    const path = join(this.artefacts, `${String(this.shots).padStart(2, "0")}-${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Keeps what tells how a failure came about: a picture, the log of the extension, and what editor and browser said. */
  async keepEvidence() {
    const folder = join(this.artefacts, "failure");
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, "screen.png") }).catch(() => {});
    writeFileSync(join(folder, "code-server.log"), this.log.join(""));
    writeFileSync(join(folder, "browser.log"), this.console.join(""));
    const driver = this.driverFolder();
    for (const name of readdirSync(driver).filter((name) => name.endsWith(".log"))) cpSync(join(driver, name), join(folder, name));
    return folder;
  }

  /** Where the driver extension writes what it measures. */
  driverFolder() {
    return join(this.extensions, readdirSync(this.extensions).find((name) => name.includes("civl-e2e-driver")));
  }

  /** Chooses a command from the palette; again if `seen` says that nothing came of it. */
  async command(title, seen = () => this.noQuickInput()) {
    const choose = async () => {
      await this.openQuickInput("F1");
      await this.accept(`>${title}`, title);
    };
    await doUntil(choose, seen, `the command "${title}" does nothing`);
  }

  async openQuickInput(key) {
    const open = async () => !(await this.noQuickInput());
    await doUntil(() => this.page.keyboard.press(key), open, `${key} opens nothing`);
  }

  async noQuickInput() {
    return !(await this.page.locator(QUICK_INPUT).isVisible());
  }

  /** Types into the quick input that is open, and accepts the row that shows a text. */
  async accept(typed, row) {
    await this.page.locator(QUICK_INPUT).fill(typed);
    // Enter takes the row that has the focus: while the list is being filtered that is another one.
    await this.page.locator(`${QUICK_ROW}.focused`, { hasText: row }).first().waitFor({ timeout: LAST_TRY_MS });
    await this.page.keyboard.press("Enter");
  }

  /**
   * Clicks on the first code lens with a title that can be seen.
   *
   * Playwright would scroll it into view by moving the editor's inner parts, after which the editor takes clicks for clicks
   * on something else. So the click goes to where the lens is, and only if nothing covers it.
   */
  async clickLens(title, seen) {
    const point = (title) => {
      for (const link of document.querySelectorAll(".codelens-decoration a")) {
        const { x, y, width, height } = link.getBoundingClientRect();
        const middle = { x: x + width / 2, y: y + height / 2 };
        if (link.textContent.includes(title) && document.elementFromPoint(middle.x, middle.y) === link) return middle;
      }
      return undefined;
    };
    const click = async () => {
      const found = await this.page.evaluate(point, title);
      if (found === undefined) throw new Error("it is not in sight");
      await this.page.mouse.click(found.x, found.y);
    };
    await doUntil(click, seen, `the lens "${title}" does nothing`);
  }

  /** Waits until a text is part of what a selector finds. */
  async see(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor();
  }

  async text(selector) {
    return (await this.page.locator(selector).allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
  }

  /** Puts the cursor of the first editor group on a line and column, both counted from 1. */
  async goTo(line, column) {
    const there = async () => (await this.noQuickInput()) && (await this.text(".statusbar")).includes(`Ln ${line}, Col ${column}`);
    const go = async () => {
      await this.page.keyboard.press("Control+1");
      await this.openQuickInput("Control+g");
      await this.page.locator(QUICK_INPUT).fill(`:${line}:${column}`);
      await this.page.keyboard.press("Enter");
    };
    await doUntil(go, there, `the cursor does not go to line ${line}`, () => this.text(".statusbar"));
  }

  /** The names of the signs in the gutter. */
  gutter() {
    return this.page.evaluate(() => {
      const marks = [...document.querySelectorAll(".glyph-margin-widgets .cgmr, .margin-view-overlays .cgmr")];
      const names = marks.flatMap((mark) => /gutter(?:\/|%2F)(\w+)\.svg/.exec(getComputedStyle(mark).backgroundImage)?.[1] ?? []);
      return [...new Set(names)].sort();
    });
  }

  /** The text inside web views. */
  async webviewText() {
    const texts = [];
    for (const frame of this.page.frames()) texts.push(await frame.evaluate(() => document.body?.innerText ?? "").catch(() => ""));
    return texts.slice(1).join("\n");
  }

  /** Process ids of the server under test. */
  serverProcesses() {
    const own = join(this.extensions, "");
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words[0].startsWith(own) && words[1] === "lsp";
      } catch {
        return false;
      }
    });
  }
}

/**
 * Does something until it has an effect, as a person does: an editor that is busy loses clicks and keys.
 *
 * What is done must do no harm when it is done twice. A step of it that fails counts as no effect.
 */
export async function doUntil(act, seen, complaint, more = () => "") {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_TRY_MS; ; pause = Math.min(2 * pause, LAST_TRY_MS)) {
    let why = "no effect";
    try {
      await act();
    } catch (error) {
      why = String(error.message).split("\n")[0];
    }
    if (await comesTrue(seen, pause)) return;
    if (Date.now() > end) throw new Error(`${complaint} (${why})\n${await more()}`);
    console.log(`again: ${complaint} (${why})`);
  }
}

/** Waits until something holds; fails with what `more` says. */
export async function until(holds, patience, complaint, more = () => "") {
  if (!(await comesTrue(holds, patience))) throw new Error(`${complaint}\n${await more()}`);
}

async function comesTrue(holds, patience) {
  const end = Date.now() + patience;
  for (;;) {
    if (await holds()) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
