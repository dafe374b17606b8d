// The movers matrix of the file in front.

import { Page } from "../server/protocol.js";
import { newNonce, page } from "../text/html.js";
import { argumentsOf, frontEditor, isReady } from "./context.js";
import type { Context } from "./context.js";
import { openTrace } from "./trace.js";

export async function showMovers(context: Context, given: unknown): Promise<void> {
  const uri = argumentsOf(given).uri ?? frontEditor()?.document.uri.toString();
  if (uri === undefined) return;
  if (!(await isReady(context))) return;
  const part = await context.connection.ask(Page, { uri });
  if (part === undefined) return;
  context.moversPanel.show("Movers", page("Movers", part, newNonce()), ({ obligation }) => {
    if (obligation !== undefined) void openTrace(context, uri, obligation);
  });
}
