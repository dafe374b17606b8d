// Which sign stands in the gutter of which line.
//
// In: obligations with the lines of their declarations, lines with an error. Out: at most one sign per line.
//
// The head of a declaration shows how its obligations stand together. A line with an error shows that it failed; the
// other lines of that declaration show that they are its context. Everything else stays empty, so a proved file is quiet.

import type { Obligation } from "./book.js";
import { worst } from "./standing.js";

export const SIGNS = ["proved", "failed", "context", "stale", "queued", "running", "timeout", "unknown", "skipped", "trusted"] as const;
export type Sign = (typeof SIGNS)[number];

export interface FailedLine {
  readonly line: number;
  readonly stale: boolean;
}

export function signs(obligations: readonly Obligation[], errors: readonly FailedLine[], showContext: boolean): Map<number, Sign> {
  const found = new Map<number, Sign>();
  for (const group of byDeclaration(obligations)) {
    const standing = worst(group.map((one) => one.standing));
    const place = group[0]?.place;
    if (standing === undefined || place === undefined) continue;
    if (standing === "failed" && showContext) {
      for (let line = place.first; line <= place.last; line++) found.set(line, "context");
    }
    // The head of a failed declaration is context too: the failure has a line of its own.
    found.set(place.head, standing === "failed" ? "context" : standing);
  }
  for (const one of obligations) if (one.standing === "failed") one.failures.forEach((line) => found.set(line, "failed"));
  for (const { line, stale } of errors) found.set(line, stale ? "stale" : "failed");
  return found;
}

/** An anonymous action `action@P` belongs to `P`. */
export function declarationName(owner: string): string {
  return owner.slice(owner.indexOf("@") + 1);
}

function byDeclaration(obligations: readonly Obligation[]): readonly Obligation[][] {
  const groups = new Map<number, Obligation[]>();
  for (const one of obligations) {
    if (one.place === undefined) continue;
    const group = groups.get(one.place.head);
    if (group === undefined) groups.set(one.place.head, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}
