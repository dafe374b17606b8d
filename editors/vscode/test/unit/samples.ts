// Messages and obligations for tests.

import type { ObligationEntry, ObligationsParams } from "../../src/server/protocol.js";
import { Book } from "../../src/state/book.js";
import type { Obligation } from "../../src/state/book.js";

export const URI = "file:///w/museum.bpl";

export function entry(id: string, state: string, more: Partial<ObligationEntry> = {}): ObligationEntry {
  return { id, kind: "commutativity", layer: 1, owner: "Count", partner: "SetBack", state, cached: false, ms: 3, ...more };
}

export function message(obligations: readonly ObligationEntry[], more: Partial<ObligationsParams> = {}): ObligationsParams {
  return { version: 1, uri: URI, finished: true, stale: false, obligations, ...more };
}

/** What the book makes of entries. */
export function obligations(...entries: ObligationEntry[]): readonly Obligation[] {
  const book = new Book();
  book.record(message(entries));
  return book.get(URI)!.obligations;
}

export function lines(first: number, last: number): { start: { line: number; character: number }; end: { line: number; character: number } } {
  return { start: { line: first, character: 0 }, end: { line: last, character: 1 } };
}
