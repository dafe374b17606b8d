// A problem report as a document that the user reads, edits and sends, or not. Nothing is sent by us.

export interface Facts {
  readonly extension: string;
  readonly editor: string;
  readonly system: string;
  readonly server: string;
  readonly solver: string;
  readonly state: string;
}

export interface Report {
  readonly facts?: Facts;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly log?: readonly string[];
  readonly program?: { readonly name: string; readonly text: string };
}

export function reportText(report: Report): string {
  const parts = [
    "# Problem report",
    "This document was written by your editor and has not been sent to anybody. Remove what you do not want to share.",
    "## What happened\n\n(What did you do, what did you expect, what came instead?)",
  ];
  if (report.facts !== undefined) parts.push(`## Versions\n\n${table(report.facts)}`);
  if (report.settings !== undefined) parts.push(`## Settings that are not the default\n\n${fenced("json", JSON.stringify(report.settings, undefined, 2))}`);
  if (report.log !== undefined) parts.push(`## Server log, last lines\n\n${fenced("text", report.log.length === 0 ? "(empty)" : report.log.join("\n"))}`);
  if (report.program !== undefined) parts.push(`## ${report.program.name}\n\n${fenced("civl", report.program.text)}`);
  return `${parts.join("\n\n")}\n`;
}

function table(facts: Facts): string {
  return Object.entries(facts).map(([name, value]) => `- ${name}: ${String(value)}`).join("\n");
}

/** A fence that no line of the text can close. */
function fenced(language: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}
