// What the server last said about the obligations of each program.
//
// In: `civl/obligations`, edits, restarts. Out: one record per document, and a signal with its address after each change.
//
// Each message replaces the one before. After an edit or a lost server everything is stale until the server speaks again.

import type { ObligationEntry, ObligationsParams } from "../server/protocol.js";
import { Signal } from "./signal.js";
import { isSettled, standingOf } from "./standing.js";
import type { Standing } from "./standing.js";

export interface Obligation {
  readonly id: string;
  readonly kind: string;
  readonly layer: number | undefined;
  readonly owner: string;
  readonly partner: string | undefined;
  readonly standing: Standing;
  readonly reason: string | undefined;
  readonly cached: boolean;
  readonly ms: number;
  /** The declaration it is about, if that lies in the document. */
  readonly place: Place | undefined;
  /** Lines on which it fails. */
  readonly failures: readonly number[];
}

/** Lines of a declaration, counted from 0. */
export interface Place {
  readonly first: number;
  readonly last: number;
  /** The line of its name. */
  readonly head: number;
}

export interface Program {
  readonly uri: string;
  readonly finished: boolean;
  readonly obligations: readonly Obligation[];
}

export interface Counts {
  readonly settled: number;
  /** Those of the settled ones that a person takes on faith. */
  readonly trusted: number;
  readonly failed: number;
  readonly undecided: number;
  readonly stale: number;
  readonly total: number;
}

export class Book {
  private readonly programs = new Map<string, Program>();
  readonly changed = new Signal<string>();

  get(uri: string): Program | undefined {
    return this.programs.get(uri);
  }

  all(): readonly Program[] {
    return [...this.programs.values()];
  }

  /** The server spoke. */
  record(message: ObligationsParams): void {
    const obligations = message.obligations.map((entry) => obligation(entry, message.stale));
    this.put({ uri: message.uri, finished: message.finished, obligations });
  }

  /** The text changed: what is known is about an older one. */
  age(uri: string): void {
    const program = this.programs.get(uri);
    if (program !== undefined) this.put(aged(program));
  }

  /** The server is gone: nothing it said is thrown away, but nothing is current either. */
  ageAll(): void {
    for (const program of this.all()) this.put(aged(program));
  }

  forget(uri: string): void {
    if (this.programs.delete(uri)) this.changed.send(uri);
  }

  private put(program: Program): void {
    this.programs.set(program.uri, program);
    this.changed.send(program.uri);
  }
}

export function countsOf(obligations: readonly Obligation[]): Counts {
  const count = (fits: (standing: Standing) => boolean): number => obligations.filter((o) => fits(o.standing)).length;
  return {
    settled: count(isSettled),
    trusted: count((s) => s === "trusted"),
    failed: count((s) => s === "failed"),
    undecided: count((s) => s === "timeout" || s === "unknown"),
    stale: count((s) => s === "stale"),
    total: obligations.length,
  };
}

function obligation(entry: ObligationEntry, stale: boolean): Obligation {
  return {
    id: entry.id,
    kind: entry.kind,
    layer: entry.layer ?? undefined,
    owner: entry.owner,
    partner: entry.partner ?? undefined,
    standing: standingOf(entry.state, entry.reason, entry.stale ?? stale),
    reason: entry.reason ?? undefined,
    cached: entry.cached ?? false,
    ms: entry.ms ?? 0,
    place: placeOf(entry),
    failures: (entry.failures ?? []).map((range) => range.start.line),
  };
}

function placeOf({ range, nameRange }: ObligationEntry): Place | undefined {
  if (range === null || range === undefined) return undefined;
  const { start, end } = range;
  return { first: start.line, last: end.line, head: nameRange?.start.line ?? start.line };
}

function aged(program: Program): Program {
  const old = program.obligations.map((one): Obligation => ({ ...one, standing: "stale" }));
  return { ...program, finished: true, obligations: old };
}
