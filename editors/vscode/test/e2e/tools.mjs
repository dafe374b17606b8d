// The programs the test needs: code-server (a real VS Code workbench), the node it wants, and Playwright's driver.
//
// They come from the npm registry in fixed versions, without install scripts, into a cache folder outside the repository,
// and Chromium from the system. What is missing is said; the caller decides whether that is a failure.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const PACKAGES = { "code-server": "4.139.1", "playwright-core": "1.64.1", [`node-${process.platform}-${process.arch}`]: "24.21.0" };
const INSTALL_MS = 240_000;
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function tools() {
  const browser = BROWSERS.find((path) => existsSync(path));
  if (browser === undefined) return { missing: "Chromium is not installed" };
  const key = Object.values(PACKAGES).join("-");
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "civl-analyzer", "vscode-e2e", key);
  const complete = join(folder, "complete");
  if (!existsSync(complete)) {
    try {
      install(folder);
      writeFileSync(complete, "");
    } catch (error) {
      const words = String(error.stderr || error.message || error).trim().split("\n");
      return { missing: `the npm packages do not install: ${words.at(-1)}` };
    }
  }
  const modules = join(folder, "node_modules");
  return {
    browser,
    node: join(modules, `node-${process.platform}-${process.arch}`, "bin", "node"),
    codeServer: join(modules, "code-server", "out", "node", "entry.js"),
    playwright: createRequire(join(modules, "x.js"))("playwright-core"),
  };
}

function install(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const npm = (where, ...words) =>
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...words], {
      cwd: where, stdio: ["ignore", "ignore", "pipe"], timeout: INSTALL_MS,
    });
  npm(folder, ...Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`));
  const workbench = join(folder, "node_modules", "code-server", "lib", "vscode");
  npm(workbench, "--omit=dev");
  symlinkSync("node_modules", join(workbench, "node_modules.asar"));
}
