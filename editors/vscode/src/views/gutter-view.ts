// Draws the signs of `state/gutter` into the gutter of visible editors.

import * as vscode from "vscode";
import type { Book } from "../state/book.js";
import { SIGNS, signs } from "../state/gutter.js";
import type { Sign } from "../state/gutter.js";
import { errorsOf, isStale } from "./errors.js";

/** Several changes within this time are drawn once. */
const QUIET_MS = 60;

const RULER: Partial<Record<Sign, string>> = { failed: "testing.iconFailed", timeout: "testing.iconQueued", unknown: "testing.iconQueued" };

export class GutterView implements vscode.Disposable {
  private readonly types: ReadonlyMap<Sign, vscode.TextEditorDecorationType>;
  private readonly disposables: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly book: Book,
    private readonly images: vscode.Uri,
  ) {
    this.types = new Map(SIGNS.map((sign) => [sign, this.decorationType(sign)]));
    const soon = (): void => {
      this.drawSoon();
    };
    this.disposables.push(
      { dispose: book.changed.listen(soon) },
      vscode.languages.onDidChangeDiagnostics(soon),
      vscode.window.onDidChangeVisibleTextEditors(soon),
      vscode.workspace.onDidChangeTextDocument(soon),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("civl.gutter")) soon();
      }),
    );
    soon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((one) => void one.dispose());
    this.types.forEach((type) => {
      type.dispose();
    });
  }

  private decorationType(sign: Sign): vscode.TextEditorDecorationType {
    const color = RULER[sign];
    const icon = vscode.Uri.joinPath(this.images, "gutter", `${sign}.svg`);
    return vscode.window.createTextEditorDecorationType({
      gutterIconPath: icon,
      gutterIconSize: "85%",
      ...(color === undefined
        ? {}
        : { overviewRulerColor: new vscode.ThemeColor(color), overviewRulerLane: vscode.OverviewRulerLane.Left }),
    });
  }

  private drawSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document.languageId === "civl");
      for (const editor of editors) this.draw(editor);
    }, QUIET_MS);
  }

  private draw(editor: vscode.TextEditor): void {
    const settings = vscode.workspace.getConfiguration("civl.gutter");
    const enabled = settings.get<boolean>("enabled", true);
    const obligations = enabled ? (this.book.get(editor.document.uri.toString())?.obligations ?? []) : [];
    const errors = enabled ? errorsOf(editor.document.uri).map((d) => ({ line: d.range.start.line, stale: isStale(d) })) : [];
    const found = signs(obligations, errors, settings.get<boolean>("contextLines", true));
    for (const [sign, type] of this.types) {
      const lines = [...found].filter(([line, shown]) => shown === sign && line < editor.document.lineCount);
      editor.setDecorations(type, lines.map(([line]) => new vscode.Range(line, 0, line, 0)));
    }
  }
}
