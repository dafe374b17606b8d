// What commands work with.

import * as vscode from "vscode";
import type { Connection } from "../server/connection.js";
import type { Log } from "../server/log.js";
import type { Book } from "../state/book.js";
import type { Panel } from "../views/panels.js";
import type { TestTree } from "../views/test-tree.js";

export interface Context {
  readonly extension: vscode.ExtensionContext;
  readonly connection: Connection;
  readonly book: Book;
  readonly log: Log;
  readonly tracePanel: Panel;
  readonly moversPanel: Panel;
  readonly testTree: () => TestTree | undefined;
}

/** The program text in front, or a visible one; says so when there is none. */
export function frontEditor(): vscode.TextEditor | undefined {
  const isProgram = (editor: vscode.TextEditor | undefined): editor is vscode.TextEditor =>
    editor?.document.languageId === "civl" && ["file", "untitled"].includes(editor.document.uri.scheme);
  const active = vscode.window.activeTextEditor;
  const found = isProgram(active) ? active : vscode.window.visibleTextEditors.find(isProgram);
  if (found === undefined) void vscode.window.showInformationMessage("CIVL: open a .bpl or .civl file first.");
  return found;
}

/** Waits until the server can be asked; says so when there is none. */
export async function isReady({ connection }: Context): Promise<boolean> {
  const ready = await connection.ready();
  if (!ready) sayNoServer();
  return ready;
}

function sayNoServer(): void {
  const restart = "Restart Server";
  void vscode.window.showWarningMessage("CIVL: the server is not running.", restart).then((choice) => {
    if (choice === restart) void vscode.commands.executeCommand("civl.restartServer");
  });
}

/** Arguments that a code lens or another caller passes as one object. */
export function argumentsOf(value: unknown): { uri?: string; layer?: number; obligation?: string } {
  if (typeof value !== "object" || value === null || value instanceof vscode.Uri) return {};
  const { uri, layer, obligation } = value as Record<string, unknown>;
  return {
    ...(typeof uri === "string" ? { uri } : {}),
    ...(typeof layer === "number" ? { layer } : {}),
    ...(typeof obligation === "string" ? { obligation } : {}),
  };
}
