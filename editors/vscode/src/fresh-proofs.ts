// Keeps verdicts current when no save asks for them: after a document was opened, and after the server came back.
//
// The server keeps verdicts on disk, so asking again costs little. The setting `civl.verify` is obeyed: "cursor" and
// "never" ask for nothing.

import * as vscode from "vscode";
import type { Connection } from "./server/connection.js";
import { Verify } from "./server/protocol.js";
import type { Book } from "./state/book.js";

export function keepProofsFresh(connection: Connection, book: Book): vscode.Disposable {
  const verify = (document: vscode.TextDocument): void => {
    const uri = document.uri.toString();
    if (isOurs(document) && isWanted() && !document.isDirty) void connection.ask(Verify, { uri });
  };
  return vscode.Disposable.from(
    connection.onState((state) => {
      if (state === "running") vscode.workspace.textDocuments.forEach(verify);
      else book.ageAll();
    }),
    connection.onObligations((message) => {
      book.record(message);
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      // The client tells the server about the document in the same turn; ask after that.
      setTimeout(() => {
        verify(document);
      }, 0);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) book.age(document.uri.toString());
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      book.forget(document.uri.toString());
    }),
  );
}

function isOurs(document: vscode.TextDocument): boolean {
  return document.languageId === "civl" && document.uri.scheme === "file";
}

function isWanted(): boolean {
  return ["save", "change"].includes(vscode.workspace.getConfiguration("civl").get("verify", "save"));
}
