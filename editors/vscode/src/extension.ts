// Where the editor enters: puts the parts together and takes them apart again.

import * as vscode from "vscode";
import { registerCommands } from "./commands/register.js";
import type { Context } from "./commands/context.js";
import { keepProofsFresh } from "./fresh-proofs.js";
import { Connection } from "./server/connection.js";
import { Log } from "./server/log.js";
import { Book } from "./state/book.js";
import { registerDocuments } from "./views/documents.js";
import { GutterView } from "./views/gutter-view.js";
import { Panel } from "./views/panels.js";
import { StatusBar } from "./views/status-bar.js";
import { TestTree } from "./views/test-tree.js";

let running: Connection | undefined;

/** What other extensions may ask; our tests do. */
export interface Api {
  /** The last lines of the server log, oldest first. */
  readonly recentLog: () => readonly string[];
}

/** Returns at once: the server starts in the background. */
export function activate(extension: vscode.ExtensionContext): Api {
  const log = new Log(vscode.window.createOutputChannel("CIVL"));
  const connection = new Connection(extension.extensionPath, log);
  const book = new Book();
  const images = vscode.Uri.joinPath(extension.extensionUri, "images");
  const icon = vscode.Uri.joinPath(images, "civl.png");
  const testTree = new Switched("testExplorer.enabled", () => new TestTree(connection, book));
  const context: Context = {
    extension,
    connection,
    book,
    log,
    tracePanel: new Panel("civl.trace", icon),
    moversPanel: new Panel("civl.movers", icon),
    testTree: () => testTree.value,
  };
  running = connection;
  extension.subscriptions.push(
    log,
    connection,
    context.tracePanel,
    context.moversPanel,
    testTree,
    keepProofsFresh(connection, book),
    new GutterView(book, images),
    new StatusBar(connection, book),
    registerDocuments(connection),
    registerCommands(context),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("civl.server")) void connection.restart();
      else if (event.affectsConfiguration("civl")) connection.tellSettings();
    }),
  );
  void connection.start();
  return { recentLog: () => log.recent() };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** A part that a setting switches on and off. */
class Switched<T extends vscode.Disposable> implements vscode.Disposable {
  value: T | undefined;
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly setting: string,
    private readonly make: () => T,
  ) {
    this.watching = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`civl.${setting}`)) this.follow();
    });
    this.follow();
  }

  dispose(): void {
    this.watching.dispose();
    this.value?.dispose();
  }

  private follow(): void {
    const wanted = vscode.workspace.getConfiguration("civl").get<boolean>(this.setting, true);
    if (wanted && this.value === undefined) this.value = this.make();
    else if (!wanted) {
      this.value?.dispose();
      this.value = undefined;
    }
  }
}
