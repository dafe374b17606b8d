// How often a server may crash before it stays down.

const WITHIN_MS = 3 * 60 * 1000;
const MOST = 3;

export class Crashes {
  private times: number[] = [];

  /** Counts a crash and tells whether to start again: not if there were many within a short time. */
  mayStartAgain(now: number): boolean {
    this.times = this.times.filter((time) => now - time <= WITHIN_MS);
    this.times.push(now);
    return this.times.length <= MOST;
  }
}
