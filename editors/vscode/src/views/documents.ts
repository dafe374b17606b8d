// Read-only documents that the server writes: libraries, layer views, pages of the manual.

import * as vscode from "vscode";
import type { Connection } from "../server/connection.js";
import { LayerView, LibraryText } from "../server/protocol.js";
import { LAYER_SCHEME, readLayerAddress } from "../text/addresses.js";

/** A layer view follows its source after this pause. */
const QUIET_MS = 400;

export function registerDocuments(connection: Connection): vscode.Disposable {
  const layers = new LayerDocuments(connection);
  return vscode.Disposable.from(
    layers,
    vscode.workspace.registerTextDocumentContentProvider(LAYER_SCHEME, layers),
    // Libraries `civl://library/base.bpl`, pages of the manual `civl://codes/CODE.md`.
    vscode.workspace.registerTextDocumentContentProvider("civl", {
      provideTextDocumentContent: async (uri) => (await connection.ask(LibraryText, { uri: uri.toString(true) }))?.text ?? noServer(),
    }),
  );
}

class LayerDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[] = [this.emitter];
  private timer: NodeJS.Timeout | undefined;
  readonly onDidChange = this.emitter.event;

  constructor(private readonly connection: Connection) {
    this.disposables.push(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.languageId === "civl" && event.document.uri.scheme !== LAYER_SCHEME) this.refreshSoon();
      }),
      connection.onState((state) => {
        if (state === "running") this.refreshSoon();
      }),
    );
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = readLayerAddress(uri.query);
    if (address === undefined) return "// This address names no layer.\n";
    const answer = await this.connection.ask(LayerView, { uri: address.source, layer: address.layer });
    return answer?.text ?? noServer();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((one) => void one.dispose());
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === LAYER_SCHEME);
      for (const document of open) this.emitter.fire(document.uri);
    }, QUIET_MS);
  }
}

function noServer(): string {
  return "// The CIVL server is not running: choose “CIVL: Restart Server” and open this again.\n";
}
