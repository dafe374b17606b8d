// The example of the walkthrough: a copy that may be changed, in the storage of this extension.

import * as vscode from "vscode";
import type { Context } from "./context.js";

const NAME = "museum.bpl";

export async function openExample({ extension }: Context): Promise<void> {
  const original = vscode.Uri.joinPath(extension.extensionUri, "examples", NAME);
  const folder = extension.globalStorageUri;
  const copy = vscode.Uri.joinPath(folder, NAME);
  await vscode.workspace.fs.createDirectory(folder);
  await vscode.workspace.fs.copy(original, copy, { overwrite: true });
  await vscode.window.showTextDocument(copy, { viewColumn: vscode.ViewColumn.Beside });
}
