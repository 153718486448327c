import { createHash } from 'node:crypto';
import type { BrowserContext, Request } from 'playwright-core';

/** `TEST_LATE_ANSWERS=1500` delays answers of the API by up to 1,500 ms; `1500/42` repeats the delays of seed 42. */
const WANTED = process.env['TEST_LATE_ANSWERS'];

/** Streams stay open: pages hear of changes as soon as they are read. */
const STREAMS = /\/(?:live|changes)$/;
const IDS = /[\da-f]{8}-[\da-f-]{27}/g;

/** Delays of requests by method, path and how often the page has sent it: they hold in another run, too. */
class Delays {
  readonly #most: number;
  readonly #seed: string;
  readonly #counts = new Map<string, number>();

  constructor(wanted: string) {
    const [most = '', seed] = wanted.split('/');
    this.#most = Number(most);
    this.#seed = seed ?? String(Date.now() % 1_000_000);
    if (!Number.isInteger(this.#most) || this.#most < 1)
      throw new Error(`TEST_LATE_ANSWERS is "${wanted}": it must be milliseconds, or milliseconds/seed`);
    console.log(`TEST_LATE_ANSWERS=${this.#most}/${this.#seed} repeats the delays of this file`);
  }

  of(request: Request): number {
    const { pathname } = new URL(request.url());
    const name = `${request.method()} ${pathname.replaceAll(IDS, 'id')}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const drawn = createHash('sha256').update(`${this.#seed} ${name} ${count}`).digest().readUInt32BE(0);
    return Math.floor((drawn / 2 ** 32) * (this.#most + 1));
  }
}

const delays = WANTED === undefined || WANTED === '' ? null : new Delays(WANTED);

/** Lets every answer of the API come late where TEST_LATE_ANSWERS wants that; routes of a test itself come first. */
export async function delayAnswers(context: BrowserContext): Promise<void> {
  if (delays === null) return;
  await context.route(
    ({ pathname }) => /^\/(?:dashboard-)?api\//.test(pathname) && !STREAMS.test(pathname),
    async (route, request) => {
      if (request.resourceType() === 'fetch')
        await new Promise((done) => setTimeout(done, delays.of(request)));
      // The page may have gone meanwhile.
      await route.fallback().catch(() => undefined);
    },
  );
}
