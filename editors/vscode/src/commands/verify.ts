// Verify a file, the declaration at the cursor, or the workspace; cancel.

import * as vscode from "vscode";
import { Cancel, Verify } from "../server/protocol.js";
import { frontEditor, isReady } from "./context.js";
import type { Context } from "./context.js";

/** So many files of a workspace are opened for verification. */
const MOST_FILES = 500;

export async function verifyFile(context: Context): Promise<void> {
  const editor = frontEditor();
  if (editor === undefined) return;
  if (await isReady(context)) await context.connection.ask(Verify, { uri: editor.document.uri.toString() });
}

export async function verifySymbol(context: Context): Promise<void> {
  const editor = frontEditor();
  if (editor === undefined) return;
  if (!(await isReady(context))) return;
  const { line, character } = editor.selection.active;
  await context.connection.ask(Verify, { uri: editor.document.uri.toString(), position: { line, character } });
}

export async function verifyWorkspace(context: Context): Promise<void> {
  if (!(await isReady(context))) return;
  // The server verifies what is open; opening a document shows nothing.
  const files = await vscode.workspace.findFiles("**/*.{bpl,civl}", undefined, MOST_FILES);
  for (const file of files) await vscode.workspace.openTextDocument(file);
  if (files.length === MOST_FILES) {
    void vscode.window.showInformationMessage(`CIVL: only the first ${MOST_FILES} files are verified; \`civl verify\` on the command line takes any number.`);
  }
  await context.connection.ask(Verify, {});
}

export async function cancel({ connection }: Context): Promise<void> {
  await connection.ask(Cancel, {});
}
