// Verify a file, the declaration at the cursor, or the workspace; cancel.

import * as vscode from "vscode";
import { Cancel, Verify } from "../server/protocol.js";
import { frontEditor, sayNoServer } from "./context.js";
import type { Context } from "./context.js";

/** So many files of a workspace are opened for verification. */
const MOST_FILES = 500;

export async function verifyFile({ connection }: Context): Promise<void> {
  const editor = frontEditor();
  if (editor === undefined) return;
  if (connection.state !== "running") sayNoServer();
  else await connection.ask(Verify, { uri: editor.document.uri.toString() });
}

export async function verifySymbol({ connection }: Context): Promise<void> {
  const editor = frontEditor();
  if (editor === undefined) return;
  if (connection.state !== "running") {
    sayNoServer();
    return;
  }
  const { line, character } = editor.selection.active;
  await connection.ask(Verify, { uri: editor.document.uri.toString(), position: { line, character } });
}

export async function verifyWorkspace({ connection }: Context): Promise<void> {
  if (connection.state !== "running") {
    sayNoServer();
    return;
  }
  // The server verifies what is open; opening a document shows nothing.
  const files = await vscode.workspace.findFiles("**/*.{bpl,civl}", undefined, MOST_FILES);
  for (const file of files) await vscode.workspace.openTextDocument(file);
  if (files.length === MOST_FILES) {
    void vscode.window.showInformationMessage(`CIVL: only the first ${MOST_FILES} files are verified; \`civl verify\` on the command line takes any number.`);
  }
  await connection.ask(Verify, {});
}

export async function cancel({ connection }: Context): Promise<void> {
  await connection.ask(Cancel, {});
}
