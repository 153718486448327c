import { readFile } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

const MB = 1_000_000;

/** The largest memory of a page's renderer process that was seen, in MB. */
export interface PageMemory {
  /** Used heap of JavaScript. */
  readonly heap: number;
  /** Memory that belongs to the renderer process alone. */
  readonly own: number;
}

/** Samples the memory of the only page of a browser. */
export class MemorySampler {
  readonly #browser: CDPSession;
  readonly #page: CDPSession;
  #heap = 0;
  #own = 0;

  private constructor(browser: CDPSession, page: CDPSession) {
    this.#browser = browser;
    this.#page = page;
  }

  static async open(browser: Browser, page: Page): Promise<MemorySampler> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    return new MemorySampler(await browser.newBrowserCDPSession(), session);
  }

  async sample(): Promise<void> {
    const { metrics } = await this.#page.send('Performance.getMetrics');
    this.#heap = Math.max(this.#heap, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0);
    const { processInfo } = await this.#browser.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    const own = await Promise.all(renderers.map(({ id }) => privateBytes(id)));
    this.#own = Math.max(this.#own, ...own);
  }

  get most(): PageMemory {
    return { heap: this.#heap / MB, own: this.#own / MB };
  }
}

/** Bytes that the process shares with no other; 0 once it has ended. */
async function privateBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, size]) =>
    Number(size),
  );
  return kilobytes.reduce((sum, size) => sum + size, 0) * 1024;
}
