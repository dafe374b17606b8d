// What the server's diagnostics say about a document.

import * as vscode from "vscode";

/** Errors the server reported for a document. */
export function errorsOf(uri: vscode.Uri): readonly vscode.Diagnostic[] {
  const own = vscode.languages.getDiagnostics(uri).filter((d) => d.source?.startsWith("civl") === true);
  return own.filter((d) => d.severity === vscode.DiagnosticSeverity.Error);
}

export function isStale(diagnostic: vscode.Diagnostic): boolean {
  return diagnostic.tags?.includes(vscode.DiagnosticTag.Unnecessary) === true;
}
