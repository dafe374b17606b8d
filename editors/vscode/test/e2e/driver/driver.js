// Runs beside the extension under test, inside the editor: measures its activation, changes settings on command, and
// writes down the log of the extension, which code-server keeps in no file.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

const LOG_EVERY_MS = 500;

exports.activate = async (context) => {
  const use = (path) => () => vscode.workspace.getConfiguration("civl").update("server.path", path, vscode.ConfigurationTarget.Global);
  context.subscriptions.push(
    vscode.commands.registerCommand("e2e.missingServer", use("/nowhere/civl")),
    vscode.commands.registerCommand("e2e.wrongServer", use("/bin/ls")),
    vscode.commands.registerCommand("e2e.bundledServer", use(undefined)),
  );
  const tested = vscode.extensions.getExtension("civl-analyzer.civl-analyzer");
  const wasActive = tested.isActive;
  const began = performance.now();
  const { recentLog } = await tested.activate();
  const activationMs = performance.now() - began;
  const log = join(context.extensionPath, `civl-${process.pid}.log`);
  const timer = setInterval(() => writeFileSync(log, recentLog().join("\n")), LOG_EVERY_MS);
  context.subscriptions.push({ dispose: () => clearInterval(timer) });
  if (!wasActive) writeFileSync(join(context.extensionPath, "measured.json"), JSON.stringify({ activationMs }));
};
