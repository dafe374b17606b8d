// Web views beside the editor: one for failing runs, one for the movers matrix.
//
// A panel is reused while it is open. Its page has scripts of ours only, and can ask for two things: to show a place,
// or a failing run.

import * as vscode from "vscode";

export interface Clicked {
  /** A place; its line is counted from 1. */
  readonly place?: { readonly file: string; readonly line: number };
  readonly obligation?: string;
}

export class Panel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private clicked: (what: Clicked) => void = () => undefined;

  constructor(
    private readonly id: string,
    private readonly icon: vscode.Uri,
  ) {}

  show(title: string, html: string, clicked: (what: Clicked) => void): void {
    this.clicked = clicked;
    const panel = this.panel ?? this.open(title);
    panel.title = title;
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(title: string): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(this.id, title, where, { enableScripts: true, localResourceRoots: [] });
    panel.iconPath = this.icon;
    panel.webview.onDidReceiveMessage((message: unknown) => {
      this.clicked(read(message));
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    this.panel = panel;
    return panel;
  }
}

function read(message: unknown): Clicked {
  if (typeof message !== "object" || message === null) return {};
  const { file, line, obligation } = message as Record<string, unknown>;
  const number = typeof line === "string" ? Number(line) : NaN;
  return {
    ...(typeof file === "string" && Number.isInteger(number) && number > 0 ? { place: { file, line: number } } : {}),
    ...(typeof obligation === "string" ? { obligation } : {}),
  };
}

/** Shows a line, counted from 0, in the editor of a document. */
export async function revealLine(uri: vscode.Uri, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.lineAt(Math.min(line, document.lineCount - 1)).range;
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const options = { selection: new vscode.Range(at.start, at.start), viewColumn: open?.viewColumn ?? vscode.ViewColumn.One };
  await vscode.window.showTextDocument(document, options);
}
