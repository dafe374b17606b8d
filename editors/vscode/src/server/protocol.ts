// The messages of our own, as `server/schema/messages.md` describes them.
//
// Fields the server may leave out are optional; unknown fields and states are passed over, never guessed at.

import { NotificationType, RequestType } from "vscode-languageclient";
import type { Location, Position, Range } from "vscode-languageclient";

export const MESSAGE_VERSION = 1;

export interface ObligationEntry {
  readonly id: string;
  readonly kind: string;
  readonly layer?: number | null;
  readonly owner: string;
  readonly partner?: string | null;
  readonly state: string;
  readonly reason?: string | null;
  readonly cached?: boolean;
  readonly ms?: number;
  /** Found before the last edit. */
  readonly stale?: boolean;
  /** The declaration it is about, and the name of that, in the document of the message. */
  readonly range?: Range | null;
  readonly nameRange?: Range | null;
  /** Where it fails or is undecided. */
  readonly failures?: readonly Range[];
}

export interface ObligationsParams {
  readonly version: number;
  readonly uri: string;
  readonly documentVersion?: number | null;
  readonly finished: boolean;
  readonly stale: boolean;
  readonly obligations: readonly ObligationEntry[];
}

export interface StatusParams {
  readonly version: number;
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  readonly solver: string;
}

export interface VerifyParams {
  readonly uri?: string;
  readonly position?: Position;
  readonly symbol?: string;
  readonly layer?: number;
  readonly kind?: string;
  /** Several obligations, by their ids. */
  readonly obligations?: readonly string[];
}

export interface TextAnswer {
  readonly version: number;
  readonly text: string;
}

export interface LayerAnswer extends TextAnswer {
  /** The layers that have a program of their own. */
  readonly layers?: readonly number[];
}

export interface TraceAnswer extends TextAnswer {
  /** One per failing assertion. */
  readonly traces?: readonly FailingRun[];
}

/** How one assertion comes to fail; which parts there are depends on the kind of obligation. */
export interface FailingRun {
  readonly message: string;
  readonly confirmed?: boolean;
  /** `confirmed` or `candidate`. */
  readonly verdict?: string;
  readonly unconfirmed?: string | null;
  readonly facts?: readonly { readonly label: string; readonly text: string; readonly at?: Location | null }[];
  /** The same actions in two orders. */
  readonly columns?: readonly { readonly title: string; readonly steps: readonly Step[] }[];
  readonly conjuncts?: readonly Conjunct[];
  readonly conclusion?: readonly string[];
  readonly steps?: readonly Step[];
}

export interface Step {
  readonly what: string;
  readonly changes?: readonly { readonly name: string; readonly value: string }[];
  readonly thread?: string | null;
  readonly at?: Location | null;
  readonly location?: Location | null;
}

export interface Conjunct {
  readonly depth: number;
  readonly holds: boolean | null;
  readonly text: string;
  readonly values?: unknown;
  readonly at?: Location | null;
}

export interface MoversAnswer extends TextAnswer {
  readonly pairs?: readonly MoverPair[];
}

export interface MoverPair {
  readonly layer?: number | null;
  readonly first: string;
  readonly second?: string | null;
  readonly checks: readonly MoverCheck[];
}

export interface MoverCheck {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly stale?: boolean;
  readonly reason?: string | null;
}

export const Obligations = new NotificationType<ObligationsParams>("civl/obligations");
export const Status = new NotificationType<StatusParams>("civl/status");
export const AskObligations = new RequestType<{ uri: string }, ObligationsParams, void>("civl/obligations");
export const AskStatus = new RequestType<object, StatusParams, void>("civl/status");
export const Verify = new RequestType<VerifyParams, null, void>("civl/verify");
export const Cancel = new RequestType<{ uri?: string }, null, void>("civl/cancel");
export const Trace = new RequestType<{ uri: string; obligation: string }, TraceAnswer, void>("civl/trace");
export const LayerView = new RequestType<{ uri: string; layer?: number }, LayerAnswer, void>("civl/layerView");
export const Movers = new RequestType<{ uri: string; layer?: number }, MoversAnswer, void>("civl/movers");
export const LibraryText = new RequestType<{ uri: string }, TextAnswer, void>("civl/libraryText");
