// The server log: an output channel that remembers its last lines, for problem reports.

import * as vscode from "vscode";

const KEPT_LINES = 300;

export class Log implements vscode.OutputChannel {
  private readonly lines: string[] = [];
  private partial = "";

  constructor(private readonly channel: vscode.OutputChannel) {}

  get name(): string {
    return this.channel.name;
  }

  /** The last lines, oldest first. */
  recent(): readonly string[] {
    return this.lines;
  }

  append(value: string): void {
    this.remember(value);
    this.channel.append(value);
  }

  appendLine(value: string): void {
    this.remember(`${value}\n`);
    this.channel.appendLine(value);
  }

  replace(value: string): void {
    this.clear();
    this.append(value);
  }

  clear(): void {
    this.lines.length = 0;
    this.partial = "";
    this.channel.clear();
  }

  show(columnOrPreserve?: vscode.ViewColumn | boolean, preserveFocus?: boolean): void {
    this.channel.show(typeof columnOrPreserve === "boolean" ? columnOrPreserve : preserveFocus);
  }

  hide(): void {
    this.channel.hide();
  }

  dispose(): void {
    this.channel.dispose();
  }

  private remember(value: string): void {
    const parts = (this.partial + value).split("\n");
    this.partial = parts.pop() ?? "";
    this.lines.push(...parts);
    if (this.lines.length > KEPT_LINES) this.lines.splice(0, this.lines.length - KEPT_LINES);
  }
}
