// How an obligation, or a group of them, stands.
//
// Nothing counts as proved but the state "proved" of the server on the present text: what this client does not know
// is "unknown", and results of an older text are "stale".

export const STANDINGS = ["failed", "timeout", "unknown", "running", "queued", "stale", "trusted", "proved", "skipped"] as const;

/** Worst first: a group stands as its worst member does. */
export type Standing = (typeof STANDINGS)[number];

export function standingOf(state: string, reason: string | null | undefined, stale: boolean): Standing {
  if (stale && state !== "queued" && state !== "running") return "stale";
  switch (state) {
    case "proved":
    case "failed":
    case "skipped":
    case "trusted":
    case "queued":
    case "running":
    case "timeout":
    case "stale":
      return state;
    case "unknown":
      return /\btime/i.test(reason ?? "") ? "timeout" : "unknown";
    default:
      return "unknown";
  }
}

/** The worst of several; nothing for an empty group. */
export function worst(standings: Iterable<Standing>): Standing | undefined {
  const present = new Set(standings);
  return STANDINGS.find((standing) => present.has(standing));
}

/** Nothing is left to do: proved, true without asking, or taken on faith. */
export function isSettled(standing: Standing): boolean {
  return standing === "proved" || standing === "skipped" || standing === "trusted";
}
