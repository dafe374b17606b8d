// How the failure of an obligation comes about.

import * as vscode from "vscode";
import { Page } from "../server/protocol.js";
import type { Obligation, Program } from "../state/book.js";
import { declarationName } from "../state/gutter.js";
import { newNonce, page } from "../text/html.js";
import { revealLine } from "../views/panels.js";
import { argumentsOf, frontEditor, isReady } from "./context.js";
import type { Context } from "./context.js";

/** `given` is what a lens passes, an item of the Test Explorer, or nothing: then the failure at the cursor is meant. */
export async function showTrace(context: Context, given: unknown): Promise<void> {
  if (!(await isReady(context))) return;
  const chosen = (await fromArguments(context, given)) ?? (await fromCursor(context));
  if (chosen !== undefined) await openTrace(context, chosen.uri, chosen.obligation);
}

export async function openTrace(context: Context, uri: string, obligation: string): Promise<void> {
  const part = await context.connection.ask(Page, { uri, obligation });
  if (part === undefined) return;
  context.tracePanel.show("Failing run", page(obligation, part, newNonce()), ({ place }) => {
    if (place !== undefined) void revealLine(uriOf(place.file), place.line - 1);
  });
}

/** The server names files by their path, and libraries by their address. */
function uriOf(file: string): vscode.Uri {
  return file.includes("://") ? vscode.Uri.parse(file, true) : vscode.Uri.file(file);
}

interface Chosen {
  readonly uri: string;
  readonly obligation: string;
}

async function fromArguments(context: Context, given: unknown): Promise<Chosen | undefined> {
  const { uri, obligation } = argumentsOf(given);
  if (uri !== undefined && obligation !== undefined) return { uri, obligation };
  const target = isTestItem(given) ? context.testTree()?.target(given) : undefined;
  if (target === undefined) return undefined;
  if (target.obligation !== undefined) return { uri: target.uri, obligation: target.obligation.id };
  const below = failures(context.book.get(target.uri)).filter((one) => target.declaration === undefined || declarationName(one.owner) === target.declaration);
  return choose(target.uri, below);
}

async function fromCursor({ book }: Context): Promise<Chosen | undefined> {
  const editor = frontEditor();
  if (editor === undefined) return undefined;
  const uri = editor.document.uri.toString();
  const failed = failures(book.get(uri));
  const line = editor.selection.active.line;
  const here = failed.filter((one) => one.failures.includes(line));
  const around = failed.filter(({ place }) => place !== undefined && place.first <= line && line <= place.last);
  return choose(uri, here.length > 0 ? here : around.length > 0 ? around : failed);
}

async function choose(uri: string, failed: readonly Obligation[]): Promise<Chosen | undefined> {
  const [only, ...others] = failed;
  if (only === undefined) {
    void vscode.window.showInformationMessage("CIVL: no proof of this file has failed. Save the file to verify it.");
    return undefined;
  }
  if (others.length === 0) return { uri, obligation: only.id };
  const items = failed.map((one) => ({ label: one.id, detail: one.reason ?? "" }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: "Show which failing run?" });
  return picked === undefined ? undefined : { uri, obligation: picked.label };
}

function failures(program: Program | undefined): readonly Obligation[] {
  return (program?.obligations ?? []).filter((one) => one.standing === "failed");
}

function isTestItem(value: unknown): value is vscode.TestItem {
  return typeof value === "object" && value !== null && "children" in value && "label" in value;
}
