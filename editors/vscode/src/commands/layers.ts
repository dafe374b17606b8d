// The program as it is at one layer, and the difference between two.

import * as vscode from "vscode";
import type { Connection } from "../server/connection.js";
import { LayerView } from "../server/protocol.js";
import { layerAddress } from "../text/addresses.js";
import { argumentsOf, frontEditor, isReady } from "./context.js";
import type { Context } from "./context.js";

export async function showLayer(context: Context, given: unknown): Promise<void> {
  const { uri, layer } = argumentsOf(given);
  const source = uri ?? frontEditor()?.document.uri.toString();
  if (source === undefined) return;
  if (!(await isReady(context))) return;
  const chosen = layer ?? (await chooseLayer(context.connection, source, "Show the program at which layer?"));
  if (chosen === undefined) return;
  const document = await vscode.workspace.openTextDocument(layerUri(source, chosen));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

export async function diffLayers(context: Context): Promise<void> {
  const source = frontEditor()?.document.uri.toString();
  if (source === undefined) return;
  if (!(await isReady(context))) return;
  const first = await chooseLayer(context.connection, source, "Compare which layer…");
  if (first === undefined) return;
  const second = await chooseLayer(context.connection, source, `… with layer ${first}?`, first);
  if (second === undefined) return;
  const [low, high] = first < second ? [first, second] : [second, first];
  const name = vscode.Uri.parse(source).path.split("/").at(-1) ?? "";
  await vscode.commands.executeCommand("vscode.diff", layerUri(source, low), layerUri(source, high), `${name}: layer ${low} ↔ ${high}`);
}

function layerUri(source: string, layer: number): vscode.Uri {
  return vscode.Uri.from(layerAddress({ source, layer }));
}

async function chooseLayer(connection: Connection, uri: string, placeHolder: string, except?: number): Promise<number | undefined> {
  const answer = await connection.ask(LayerView, { uri });
  const layers = (answer?.layers ?? []).filter((layer) => layer !== except);
  if (layers.length === 0) {
    void vscode.window.showInformationMessage("CIVL: this program has no layers to choose from.");
    return undefined;
  }
  const items = layers.map((layer) => ({ label: `Layer ${layer}`, layer }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.layer;
}
