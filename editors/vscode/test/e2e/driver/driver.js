// Runs beside the extension under test, inside the editor: measures its activation and changes settings on command.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

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
  await tested.activate();
  const activationMs = performance.now() - began;
  if (!wasActive) writeFileSync(join(context.extensionPath, "measured.json"), JSON.stringify({ activationMs }));
};
