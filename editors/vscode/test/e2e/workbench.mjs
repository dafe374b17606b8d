// A workbench to drive: code-server with the packed extension, and a page of Chromium that shows it.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const START_MS = 120_000;
/** How long something may take to appear on a busy machine. */
export const PATIENCE_MS = Number(process.env.CIVL_E2E_PATIENCE_MS ?? 60_000);

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
    let log = "";
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => { log += text; });
    await until(() => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false), START_MS, "code-server does not start", () => log);
    const browser = await tools.playwright.chromium.launch({
      executablePath: tools.browser,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE_MS);
    return new Workbench({ server, browser, page, port, workspace, extensions, artefacts });
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

  async command(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" }).catch(() => {});
  }

  /** Waits until a text is part of what a selector finds. */
  async see(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor();
  }

  async text(selector) {
    return (await this.page.locator(selector).allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
  }

  /** Puts the cursor on a line and column, both counted from 1. */
  async goTo(line, column) {
    await this.page.locator(".monaco-editor .view-lines").first().click();
    await this.page.keyboard.press("Control+g");
    await this.page.locator(".quick-input-widget input[type=text]").fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
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

/** Waits until something holds; fails with what `more` says. */
export async function until(holds, patience, complaint, more = () => "") {
  const end = Date.now() + patience;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`${complaint}\n${await more()}`);
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
