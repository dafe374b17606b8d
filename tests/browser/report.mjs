// Opens a page of `civl verify --report` in headless Chromium and clicks through it.
// node report.mjs PAGE.html SHOTS_PREFIX CHROMIUM: prints what it found as JSON, or fails.
// `playwright-core` is found through NODE_PATH, which only `require` honours.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const { chromium } = createRequire(import.meta.url)('playwright-core');
const [page_file, shots, executablePath] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'civl-report-'));
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const context = await chromium.launchPersistentContext(profile, {
  executablePath, headless: true, args: flags, viewport: { width: 1200, height: 900 },
});
const found = { errors: [], requests: [] };
try {
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  page.on('pageerror', error => found.errors.push(String(error)));
  page.on('console', line => { if (line.type() === 'error') found.errors.push(line.text()); });
  page.on('request', request => { if (!request.url().startsWith('file:')) found.requests.push(request.url()); });
  await page.goto('file://' + resolve(page_file));
  found.title = await page.title();
  await page.screenshot({ path: shots + '-top.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: shots + '-dark.png', fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.screenshot({ path: shots + '-whole.png', fullPage: true });

  // The table of obligations: filter by name and state.
  found.obligations = await page.locator('#obligations tbody tr').count();
  await page.selectOption('#state', 'failed');
  found.failed = await page.locator('#obligations tbody tr:visible').count();
  found.status = await page.locator('#count').innerText();
  const to_trace = page.locator('#obligations tbody tr:visible a.to-trace').first();
  if (await to_trace.count()) {
    await to_trace.click();
    const finding = page.locator('.finding:target');
    found.trace = await finding.locator('.story h3').innerText();
    found.lanes = await finding.locator('.lane').allInnerTexts();
    found.diagrams = await finding.locator('.diagram').count();
    found.steps = await finding.locator('.step').count();
    found.inner = await finding.locator('.inner li').allInnerTexts();
    found.wrong = await finding.locator('.step.wrong').allInnerTexts();
    await finding.screenshot({ path: shots + '-trace.png' });
  }
  await page.selectOption('#state', '');
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('commutativity');
  found.filtered = await page.locator('#obligations tbody tr:visible').count();

  // The matrix: the worst cell by keyboard alone, its reasons, and from there the trace.
  found.cells = await page.locator('#matrix button.cell').count();
  const failing = page.locator('#matrix button.cell.failed');
  const cell = (await failing.count()) ? failing.first() : page.locator('#matrix button.cell').first();
  await cell.focus();
  await page.keyboard.press('Enter');
  const reason = page.locator('.reason:visible');
  found.reason = await reason.locator('h3').innerText();
  found.reasons = await reason.locator('tr').count();
  found.expanded = await cell.getAttribute('aria-expanded');
  await page.locator('#movers').screenshot({ path: shots + '-matrix.png' });
  const way = reason.locator('a.to-trace');
  found.linked = await way.count();
  if (found.linked) {
    await way.first().click();
    found.reached = await page.locator('.finding:target').count();
  }
  await page.locator('#layers').screenshot({ path: shots + '-layers.png' });

  // Nothing is wider than a narrow window.
  await page.setViewportSize({ width: 420, height: 800 });
  found.overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await page.screenshot({ path: shots + '-narrow.png' });
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(found));
