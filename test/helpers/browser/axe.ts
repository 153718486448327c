import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page, a line for each rule. The page keeps axe until it is loaded anew. */
export async function violationsOf(page: Page, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(SOURCE);
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (chosen) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(chosen),
    { resultTypes: ['violations'], ...options },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}
