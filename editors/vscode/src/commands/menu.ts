// The menu behind the status bar item.

import * as vscode from "vscode";
import type { Context } from "./context.js";

const ENTRIES: readonly (vscode.QuickPickItem & { readonly command?: string; readonly needsServer?: boolean })[] = [
  { label: "$(play) Verify file", command: "civl.verifyFile", needsServer: true },
  { label: "$(run-all) Verify workspace", command: "civl.verifyWorkspace", needsServer: true },
  { label: "$(debug-stop) Cancel verification", command: "civl.cancelVerification", needsServer: true },
  { label: "", kind: vscode.QuickPickItemKind.Separator },
  { label: "$(list-tree) Show failing run", command: "civl.showTrace", needsServer: true },
  { label: "$(layers) Show program at layer…", command: "civl.showLayer", needsServer: true },
  { label: "$(diff) Compare two layers…", command: "civl.diffLayers", needsServer: true },
  { label: "$(table) Show movers matrix", command: "civl.showMovers", needsServer: true },
  { label: "", kind: vscode.QuickPickItemKind.Separator },
  { label: "$(refresh) Restart server", command: "civl.restartServer" },
  { label: "$(output) Show server log", command: "civl.showOutput" },
  { label: "$(report) Report a problem…", command: "civl.reportProblem" },
  { label: "$(mortar-board) Open walkthrough", command: "civl.openWalkthrough" },
];

export async function showMenu({ connection, extension }: Context): Promise<void> {
  const running = connection.state === "running";
  const entries = ENTRIES.filter((entry) => running || entry.needsServer !== true);
  const title = connection.facts === undefined ? "CIVL: no server" : `CIVL: ${connection.facts.version}`;
  const picked = await vscode.window.showQuickPick(entries, { title });
  if (picked?.command === "civl.openWalkthrough") {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.extension.id}#firstProof`);
  } else if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}
