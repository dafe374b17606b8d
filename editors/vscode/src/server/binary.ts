// Which `civl` to start, and what to say when there is none.
//
// In: the setting, the extension's folder, the PATH. Out: one program, or a message that says what to do.
// A path in the settings is never silently replaced by another program.

import { delimiter, isAbsolute, join } from "node:path";

/** The oldest server that speaks our messages. */
export const OLDEST_SERVER: readonly [number, number, number] = [0, 1, 0];

export interface Places {
  readonly setting: string;
  readonly extensionFolder: string;
  readonly home: string;
  readonly path: string;
  readonly windows: boolean;
  readonly isFile: (path: string) => boolean;
}

export type Found =
  | { readonly kind: "found"; readonly path: string; readonly origin: "setting" | "bundled" | "path" }
  | { readonly kind: "missing"; readonly message: string };

export function findServer(places: Places): Found {
  const wanted = places.setting.trim();
  if (wanted !== "") return fromSetting(expandHome(wanted, places.home), places);
  const name = places.windows ? "civl.exe" : "civl";
  const bundled = join(places.extensionFolder, "server", name);
  if (places.isFile(bundled)) return { kind: "found", path: bundled, origin: "bundled" };
  const onPath = searchPath(name, places);
  if (onPath !== undefined) return { kind: "found", path: onPath, origin: "path" };
  return {
    kind: "missing",
    message:
      "The program `civl` was not found: this package holds none for your system, and none is on the PATH. " +
      "Build it with `cargo build --release` and name it in the setting `civl.server.path`.",
  };
}

function fromSetting(path: string, places: Places): Found {
  if (!isAbsolute(path)) {
    const onPath = path.includes("/") || path.includes("\\") ? undefined : searchPath(path, places);
    if (onPath !== undefined) return { kind: "found", path: onPath, origin: "setting" };
    return { kind: "missing", message: `The setting \`civl.server.path\` is \`${path}\`. Give the whole path of the program \`civl\`, or leave it empty.` };
  }
  if (places.isFile(path)) return { kind: "found", path, origin: "setting" };
  return {
    kind: "missing",
    message: `The setting \`civl.server.path\` names \`${path}\`, but there is no such file. Correct the setting, or leave it empty.`,
  };
}

function searchPath(name: string, places: Places): string | undefined {
  const folders = places.path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find((path) => places.isFile(path));
}

function expandHome(path: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

export interface Answer {
  /** What `civl --version` printed. */
  readonly output: string;
  /** Why it could not be run, or did not end well. */
  readonly failure?: string;
}

/** Why a program is not a server we can talk to; nothing if it is one. */
export function complaintAbout(path: string, answer: Answer): string | undefined {
  if (answer.failure !== undefined) {
    return `\`${path}\` cannot be run: ${answer.failure}. Name a working \`civl\` in the setting \`civl.server.path\`.`;
  }
  const version = /^civl (\d+)\.(\d+)\.(\d+)/.exec(answer.output);
  if (version === null) {
    const first = answer.output.split("\n")[0]?.trim() ?? "";
    const said = first === "" ? "it printed no version" : `asked for its version it printed \`${first.slice(0, 60)}\``;
    return `\`${path}\` is not the program \`civl\`: ${said}. Correct the setting \`civl.server.path\`, or leave it empty.`;
  }
  const numbers = version.slice(1, 4).map(Number);
  if (isOlder(numbers, OLDEST_SERVER)) {
    return `\`${path}\` is civl ${numbers.join(".")}; this extension needs ${OLDEST_SERVER.join(".")} or newer. Update it, or leave the setting \`civl.server.path\` empty.`;
  }
  return undefined;
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [nth, wanted] of than.entries()) {
    const have = version[nth] ?? 0;
    if (have !== wanted) return have < wanted;
  }
  return false;
}
