// The movers matrix of the file in front.

import { Movers } from "../server/protocol.js";
import { newNonce, page } from "../text/html.js";
import { matrixPage } from "../text/matrix-page.js";
import { argumentsOf, frontEditor, isReady } from "./context.js";
import type { Context } from "./context.js";
import { openTrace } from "./trace.js";

export async function showMovers(context: Context, given: unknown): Promise<void> {
  const uri = argumentsOf(given).uri ?? frontEditor()?.document.uri.toString();
  if (uri === undefined) return;
  if (!(await isReady(context))) return;
  const answer = await context.connection.ask(Movers, { uri });
  context.moversPanel.show("Movers", page("Movers", matrixPage(answer), newNonce()), ({ obligation }) => {
    if (obligation !== undefined) void openTrace(context, uri, obligation);
  });
}
