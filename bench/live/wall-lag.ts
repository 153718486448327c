import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Dashboard } from '../../test/helpers/browser/dashboard.ts';

interface Shown {
  readonly frames: number;
  /** When a card first showed each marked sentence, epoch ms. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Gives the calls of a wall numbered sentences in turn, and measures when Chromium shows each. */
export class WallLag {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async run(
    dashboard: Dashboard,
    callIds: readonly string[],
    seconds: number,
  ): Promise<{ fps: number; lags: readonly number[]; said: number }> {
    await this.#watch();
    const begun = await this.#eventTimes(dashboard);
    const startedAt = performance.now();
    let said = 0;
    while (performance.now() - startedAt < seconds * 1000) {
      const callId = callIds[said % callIds.length] ?? '';
      said += 1;
      const text = `Sentence number ${said} of this call.`;
      await dashboard.api('POST', `/calling/${callId}/control`, { operation: 'say', text });
      await setTimeout(80);
    }
    await setTimeout(3_000);
    const { frames, seen } = await this.#page.evaluate<Shown>('globalThis.wallShown()');
    const elapsed = (performance.now() - startedAt) / 1000;
    begun.stop();
    const lags = Object.entries(seen).flatMap(([sentence, shownAt]) => {
      const at = begun.times.get(sentence);
      return at === undefined ? [] : [Math.max(0, shownAt - at)];
    });
    return { fps: frames / elapsed, lags, said };
  }

  /** Counts pictures, and notes when each sentence stands on a card. */
  #watch(): Promise<void> {
    return this.#page.evaluate(`(() => {
      let frames = 0;
      const seen = {};
      const look = () => {
        frames += 1;
        for (const [sentence] of document.body.innerText.matchAll(/Sentence number \\d+ of/g)) seen[sentence] ??= Date.now();
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      globalThis.wallShown = () => ({ frames, seen });
    })()`);
  }

  /** When the agent began each sentence, by the stream that the page reads, too. */
  async #eventTimes(dashboard: Dashboard): Promise<{ times: Map<string, number>; stop: () => void }> {
    const times = new Map<string, number>();
    const leave = new AbortController();
    const { body } = await fetch(`${dashboard.service.url}/api/v0/calling/live`, {
      headers: { 'x-api-key': dashboard.service.key },
      signal: leave.signal,
    });
    const read = async (): Promise<void> => {
      let held = '';
      for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        const lines = (held + chunk).split('\n');
        held = lines.pop() ?? '';
        for (const line of lines) {
          const found = /Sentence number \d+ of/.exec(line);
          const event = found === null ? null : (JSON.parse(line.slice(6)) as { type: string; at?: number });
          if (found !== null && event?.type === 'words' && event.at !== undefined)
            times.set(found[0], event.at);
        }
      }
    };
    read().catch(() => undefined);
    return { times, stop: () => leave.abort() };
  }
}
