// What several scenarios do: save, type, unfold, and see that everything is proved.
import { PATIENCE_MS, doUntil, until } from "./workbench.mjs";

export const STATUS = '.statusbar-item[id*="civl.status"]';
export const LINES = ".monaco-editor .view-lines";
export const TESTS = ".test-explorer .monaco-list-row";

export async function save(workbench) {
  const saved = async () => (await workbench.page.locator(".tab.dirty", { hasText: "museum.bpl" }).count()) === 0;
  const press = async () => {
    await workbench.page.keyboard.press("Control+1");
    await workbench.page.keyboard.press("Control+s");
  };
  await doUntil(press, saved, "the file is not saved");
}

export async function proved(workbench) {
  await until(async () => /(\d+) of \1\b/.test(await workbench.text(STATUS)), PATIENCE_MS, "not proved", () => workbench.text(STATUS));
  await workbench.goTo(32, 1);
  await until(async () => {
    const found = await workbench.gutter();
    return found.includes("proved") && found.every((name) => name === "proved" || name === "skipped");
  }, PATIENCE_MS, "the gutter is not clean", async () => String(await workbench.gutter()));
  await until(async () => (await workbench.page.locator(".squiggly-error").count()) === 0, PATIENCE_MS, "errors are still underlined");
  const lenses = () => workbench.text(".codelens-decoration");
  await until(async () => lensesAgree(await lenses()), PATIENCE_MS, "the lenses are older than the proof", lenses);
}

/** Every lens that counts says that all is proved, and there are such lenses. */
function lensesAgree(text) {
  const counts = [...text.matchAll(/\((\d+) of (\d+) proved(.*?)\)/g)];
  return counts.length > 0 && counts.every(([, done, all, more]) => done === all && more === "");
}

/** Whether a text can be seen now. */
export function shows(workbench, selector, text) {
  return () => workbench.page.locator(selector).filter({ hasText: text }).first().isVisible();
}

export function newServer(workbench, before) {
  return () => workbench.serverProcesses().some((pid) => !before.includes(pid));
}

/** Shows the Test Explorer with a file in it. */
export async function openTests(workbench, file) {
  const icon = workbench.page.locator('.activitybar .action-item:has([aria-label^="Testing"])');
  const seen = shows(workbench, TESTS, file);
  const open = async () => {
    if (!(await seen())) await icon.first().click({ timeout: 10_000 });
  };
  await doUntil(open, seen, `${file} is not in the Test Explorer`);
}

/** Opens an item of a tree. */
export async function unfold(workbench, row) {
  const isOpen = async () => (await row.first().isVisible()) && (await row.first().getAttribute("aria-expanded", { timeout: 1000 }).catch(() => "")) === "true";
  const open = async () => {
    if (!(await isOpen())) await row.first().locator(".monaco-tl-twistie").click({ timeout: 10_000 });
  };
  await doUntil(open, isOpen, "an item does not unfold");
}

export async function sign(workbench, name) {
  await until(async () => (await workbench.gutter()).includes(name), PATIENCE_MS, `no sign "${name}"`, async () => String(await workbench.gutter()));
}

/** Types words as a comment on the empty third line. */
export async function type(workbench, words) {
  const write = async () => {
    await workbench.goTo(3, 1);
    await workbench.page.keyboard.type(`${words} `);
  };
  await doUntil(write, async () => (await workbench.text(LINES)).includes(words), "nothing is typed");
}
