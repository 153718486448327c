import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { LINE_REFUSALS, type CallerLine } from '../../domain/rehearsals/caller-lines.ts';
import { Refused } from '../../http/agents/document/document.ts';

interface Entry extends CallerLine {
  readonly call: number;
  readonly key: string;
}

/** Recorded lines of callers, one JSON object a line, so that a run can be played again without a model. */
export class LineFile {
  readonly #path: string | undefined;
  readonly #lines = new Map<string, CallerLine>();

  /** Without a path nothing is kept beyond the run. Throws Refused for a file that is none of these. */
  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const [at, text] of readFileSync(path, 'utf8').split('\n').entries()) {
      if (text === '') continue;
      const entry = entryOf(text);
      if (entry === null) throw new Refused([`${path}, line ${at + 1}: is no recorded line of a caller`]);
      const { call, key, ...line } = entry;
      this.#lines.set(nameOf(call, key), line);
    }
  }

  find(call: number, key: string): CallerLine | undefined {
    return this.#lines.get(nameOf(call, key));
  }

  keep(call: number, key: string, line: CallerLine): void {
    this.#lines.set(nameOf(call, key), line);
    if (this.#path === undefined) return;
    appendFileSync(this.#path, `${JSON.stringify({ call, key, ...line })}\n`, { mode: 0o600 });
  }
}

const nameOf = (call: number, key: string): string => `${call} ${key}`;

function entryOf(text: string): Entry | null {
  try {
    const { call, key, text: said, hangsUp, refused } = JSON.parse(text) as Record<keyof Entry, unknown>;
    const isLine =
      Number.isSafeInteger(call) &&
      typeof key === 'string' &&
      typeof hangsUp === 'boolean' &&
      (typeof said === 'string'
        ? refused === null
        : said === null && LINE_REFUSALS.includes(refused as never));
    return isLine ? ({ call, key, text: said, hangsUp, refused } as Entry) : null;
  } catch {
    return null;
  }
}
