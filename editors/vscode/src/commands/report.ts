// Collects what helps to understand a problem into a document. Nothing is sent.

import { platform, release } from "node:os";
import * as vscode from "vscode";
import { AskStatus } from "../server/protocol.js";
import { reportText } from "../text/report.js";
import type { Facts, Report } from "../text/report.js";
import type { Context } from "./context.js";

export async function reportProblem(context: Context): Promise<void> {
  const facts = await factsOf(context);
  const settings = changedSettings();
  const log = context.log.recent();
  const document = vscode.window.activeTextEditor?.document;
  const choices: (vscode.QuickPickItem & { part: Report })[] = [
    { label: "Versions", description: `${facts.extension}, ${facts.server}`, picked: true, part: { facts } },
    { label: "Settings", description: `${Object.keys(settings).length} that are not the default`, picked: true, part: { settings } },
    { label: "Server log", description: `the last ${log.length} lines; they may name your files`, picked: true, part: { log } },
  ];
  if (document?.languageId === "civl") {
    const name = document.uri.path.split("/").at(-1) ?? "program";
    choices.push({ label: "Program text", description: `${name}, ${document.lineCount} lines`, picked: false, part: { program: { name, text: document.getText() } } });
  }
  const placeHolder = "What to put into the report. It opens as a document for you to read; nothing is sent.";
  const picked = await vscode.window.showQuickPick(choices, { canPickMany: true, placeHolder });
  if (picked === undefined) return;
  const content = reportText(Object.assign({}, ...picked.map((choice) => choice.part)) as Report);
  const report = await vscode.workspace.openTextDocument({ language: "markdown", content });
  await vscode.window.showTextDocument(report);
}

async function factsOf({ extension, connection }: Context): Promise<Facts> {
  const { version } = extension.extension.packageJSON as { version: string };
  const status = await connection.ask(AskStatus, {}).catch(() => undefined);
  return {
    extension: `civl-analyzer ${version}`,
    editor: `${vscode.env.appName} ${vscode.version}`,
    system: `${platform()} ${release()} ${process.arch}`,
    server: connection.facts === undefined ? "none" : `${connection.facts.version} (${connection.facts.origin})`,
    solver: status?.solver ?? "not known",
    state: connection.state,
  };
}

/** Our settings that differ from their defaults; values of environment variables are left out. */
function changedSettings(): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  const visit = (section: string, value: unknown): void => {
    const inspected = vscode.workspace.getConfiguration().inspect(section);
    const known = inspected?.defaultValue;
    if (known !== undefined) {
      if (JSON.stringify(value) !== JSON.stringify(known)) {
        changed[section] = section.endsWith(".environment") ? Object.keys(value as object) : value;
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(`${section}.${name}`, inner);
    }
  };
  const all = vscode.workspace.getConfiguration("civl") as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(all)) if (typeof value !== "function") visit(`civl.${name}`, value);
  return changed;
}
