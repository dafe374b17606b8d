// The status bar item: how the program in front stands.

import * as vscode from "vscode";
import type { Connection } from "../server/connection.js";
import type { StatusParams } from "../server/protocol.js";
import { countsOf } from "../state/book.js";
import type { Book } from "../state/book.js";
import { statusWords } from "../state/status.js";

const BACKGROUNDS = { plain: undefined, warning: "statusBarItem.warningBackground", error: "statusBarItem.errorBackground" } as const;

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("civl.status", vscode.StatusBarAlignment.Right, 100);
  private readonly disposables: vscode.Disposable[] = [this.item];
  private progress: StatusParams | undefined;
  /** The document whose standing is shown; it stays while another kind of document is in front. */
  private front: string | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly book: Book,
  ) {
    this.item.name = "CIVL";
    this.item.command = "civl.showMenu";
    const show = (): void => {
      this.show();
    };
    this.disposables.push(
      connection.onState(() => {
        this.progress = undefined;
        show();
      }),
      connection.onStatus((progress) => {
        this.progress = progress;
        show();
      }),
      { dispose: book.changed.listen(show) },
      vscode.window.onDidChangeActiveTextEditor(show),
    );
    show();
  }

  dispose(): void {
    this.disposables.forEach((one) => void one.dispose());
  }

  private show(): void {
    const active = vscode.window.activeTextEditor?.document;
    if (active?.languageId === "civl" && active.uri.scheme === "file") this.front = active.uri.toString();
    const program = this.front === undefined ? undefined : this.book.get(this.front);
    const counts = program === undefined ? undefined : countsOf(program.obligations);
    const words = statusWords(this.connection.state, this.progress, counts);
    this.item.text = words.text;
    this.item.tooltip = words.tooltip;
    this.item.accessibilityInformation = { label: `CIVL: ${words.tooltip}` };
    const background = BACKGROUNDS[words.tone];
    this.item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.item.show();
    const verifying = this.connection.state === "running" && this.progress?.phase === "verifying";
    const proved = counts !== undefined && counts.total > 0 && counts.settled === counts.total && program?.finished === true;
    void vscode.commands.executeCommand("setContext", "civl.verifying", verifying);
    void vscode.commands.executeCommand("setContext", "civl.allProved", proved);
  }
}
