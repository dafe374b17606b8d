// The messages of our own, as `server/schema/messages.md` describes them.
//
// Fields the server may leave out are optional; unknown fields and states are passed over, never guessed at.

import { NotificationType, RequestType } from "vscode-languageclient";
import type { Position, Range } from "vscode-languageclient";

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
  /** The layers that something in the program mentions. */
  readonly layers?: readonly number[];
}

/** A part of the page of `civl verify --report`; everything of the program in it is escaped. */
export interface PageAnswer {
  readonly version: number;
  readonly style: string;
  readonly script: string;
  readonly body: string;
}

export const Obligations = new NotificationType<ObligationsParams>("civl/obligations");
export const Status = new NotificationType<StatusParams>("civl/status");
export const AskObligations = new RequestType<{ uri: string }, ObligationsParams, void>("civl/obligations");
export const AskStatus = new RequestType<object, StatusParams, void>("civl/status");
export const Verify = new RequestType<VerifyParams, null, void>("civl/verify");
export const Cancel = new RequestType<{ uri?: string }, null, void>("civl/cancel");
export const LayerView = new RequestType<{ uri: string; layer?: number }, LayerAnswer, void>("civl/layerView");
/** The failing run of an obligation; without one, the matrix of movers. */
export const Page = new RequestType<{ uri: string; obligation?: string }, PageAnswer, void>("civl/page");
export const LibraryText = new RequestType<{ uri: string }, TextAnswer, void>("civl/libraryText");
