// From an item of the Test Explorer to its place in the text.

import * as vscode from "vscode";
import { declarationName } from "../state/gutter.js";
import { revealLine } from "../views/panels.js";
import type { Context } from "./context.js";

export async function goToObligation({ book, testTree }: Context, item: unknown): Promise<void> {
  const target = testTree()?.target(item as vscode.TestItem);
  if (target === undefined) return;
  const all = book.get(target.uri)?.obligations ?? [];
  const same = target.obligation ?? all.find((one) => declarationName(one.owner) === target.declaration);
  const line = same?.failures[0] ?? same?.place?.head ?? 0;
  await revealLine(vscode.Uri.parse(target.uri), line);
}
