// The words of the status bar.

import type { ServerState } from "../server/connection.js";
import type { StatusParams } from "../server/protocol.js";
import type { Counts } from "./book.js";

export interface StatusWords {
  readonly text: string;
  readonly tooltip: string;
  readonly tone: "plain" | "warning" | "error";
}

const WITHOUT_SERVER: Record<Exclude<ServerState, "running">, StatusWords> = {
  starting: { text: "$(sync~spin) CIVL", tooltip: "The server is starting.", tone: "plain" },
  stopped: { text: "$(debug-disconnect) CIVL", tooltip: "The server is not running. Choose “Restart server” in the menu.", tone: "warning" },
  missing: { text: "$(error) CIVL", tooltip: "The program civl was not found, or is not the right one. See the setting civl.server.path.", tone: "error" },
};

/** What is shown; `progress` is of a run that is under way, `counts` of the program in front. */
export function statusWords(state: ServerState, progress: StatusParams | undefined, counts: Counts | undefined): StatusWords {
  if (state !== "running") return WITHOUT_SERVER[state];
  if (progress?.phase === "verifying") {
    const done = Math.min(progress.done, progress.total);
    return { text: `$(sync~spin) CIVL ${done} of ${progress.total}`, tooltip: "Obligations answered so far. Click for the menu.", tone: "plain" };
  }
  if (counts === undefined || counts.total === 0) {
    return { text: "$(circle-outline) CIVL", tooltip: "Nothing has been verified yet. Save the file, or click for the menu.", tone: "plain" };
  }
  return finished(counts);
}

function finished(counts: Counts): StatusWords {
  const share = `${counts.settled} of ${counts.total}`;
  if (counts.failed > 0) {
    return { text: `$(error) CIVL ${share}`, tooltip: `${counts.failed} of ${counts.total} obligations failed.`, tone: "error" };
  }
  if (counts.undecided > 0) {
    return { text: `$(question) CIVL ${share}`, tooltip: `${counts.undecided} of ${counts.total} obligations are undecided.`, tone: "warning" };
  }
  if (counts.stale > 0) {
    return { text: `$(history) CIVL ${share}`, tooltip: `${counts.stale} verdicts are older than the text. Save to verify again.`, tone: "plain" };
  }
  if (counts.settled < counts.total) {
    return { text: `$(circle-outline) CIVL ${share}`, tooltip: "Not everything has been answered.", tone: "plain" };
  }
  if (counts.trusted > 0) {
    return { text: `$(shield) CIVL ${share}`, tooltip: `${counts.trusted} of ${counts.total} obligations are trusted, not proved.`, tone: "plain" };
  }
  return { text: `$(check) CIVL ${share}`, tooltip: "Every obligation is proved.", tone: "plain" };
}
