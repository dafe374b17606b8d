// The movers matrix of the file in front.

import { Movers } from "../server/protocol.js";
import { newNonce, page, serverPage } from "../text/html.js";
import { matrixPage } from "../text/matrix-page.js";
import { argumentsOf, frontEditor, sayNoServer } from "./context.js";
import type { Context } from "./context.js";
import { openTrace } from "./trace.js";

export async function showMovers(context: Context, given: unknown): Promise<void> {
  const uri = argumentsOf(given).uri ?? frontEditor()?.document.uri.toString();
  if (uri === undefined) return;
  if (context.connection.state !== "running") {
    sayNoServer();
    return;
  }
  const answer = await context.connection.ask(Movers, { uri });
  const nonce = newNonce();
  const own = matrixPage(context.book.get(uri)?.obligations ?? [], answer?.text ?? "");
  const html = answer?.html ? serverPage(answer.html, nonce) : page("Movers", own, nonce);
  context.moversPanel.show("Movers", html, ({ obligation }) => {
    if (obligation !== undefined) void openTrace(context, uri, obligation);
  });
}
