// Asks a program for its version.

import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import type { Answer } from "./binary.js";

const PATIENCE_MS = 10_000;

export function askVersion(path: string, environment: NodeJS.ProcessEnv): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(path, ["--version"], { timeout: PATIENCE_MS, env: environment }, (error, stdout, stderr) => {
      if (error === null) resolve({ output: stdout });
      else resolve({ output: stdout, failure: reason(error, stderr) });
    });
  });
}

function reason(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.killed === true) return "it did not answer in time";
  if (error.code === "EACCES") return "it may not be executed (permission denied)";
  if (error.code === "ENOENT") return "it does not exist, or its interpreter does not";
  const first = stderr.trim().split("\n")[0] ?? "";
  return first === "" ? `it ended with ${String(error.code)}` : first;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
