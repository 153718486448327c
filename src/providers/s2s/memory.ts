import { PENDING_RESULT, type HistoryItem } from '../../voice/ports.ts';
import type { S2sCue, S2sDialect } from './dialect.ts';
import type { S2sReply } from './reply.ts';

const KEPT_REPLIES = 4;
const same = (a: HistoryItem | undefined, b: HistoryItem | undefined): boolean =>
  a !== undefined && b !== undefined && (a === b || JSON.stringify(a) === JSON.stringify(b));

/**
 * What the vendor's own conversation holds. Before each reply it learns what happened besides: keys, results of tools, lines
 * of other voices, and how much of its replies the caller heard.
 */
export class S2sMemory {
  readonly #dialect: S2sDialect;
  readonly #sampleRate: number;
  #known: readonly HistoryItem[] = [];
  /** Replies that may still be heard, the newest last. */
  #replies: S2sReply[] = [];

  constructor(dialect: S2sDialect, sampleRate: number) {
    this.#dialect = dialect;
    this.#sampleRate = sampleRate;
  }

  /** The newest replies, the newest first. */
  get replies(): readonly S2sReply[] {
    return this.#replies.toReversed();
  }

  add(reply: S2sReply): void {
    this.#replies = [...this.#replies, reply].slice(-KEPT_REPLIES);
  }

  /** What the next reply answers, after `history`. */
  static cueOf(history: readonly HistoryItem[]): S2sCue {
    const last = history.at(-1);
    if (last?.role === 'silence') return 'silence';
    return last?.role === 'tool' && last.result !== PENDING_RESULT ? 'tool' : 'caller';
  }

  /** Messages that bring the vendor's conversation up to `history`. */
  learn(history: readonly HistoryItem[]): string[] {
    let from = 0;
    while (from < history.length && same(history[from], this.#known[from])) from += 1;
    this.#known = history;
    const messages = history.slice(from).flatMap((item) => this.#learn(item));
    return [...this.#forgetUnheard(), ...messages];
  }

  #learn(item: HistoryItem): readonly string[] {
    switch (item.role) {
      case 'agent':
        return this.#heard(item.text);
      case 'caller':
        // The vendor heard what was spoken.
        if (item.by === 'speech') return [];
        return this.#dialect.add('caller', item.by === 'keypad' ? `[keypad] ${item.text}` : item.text);
      case 'tool':
        return item.result === PENDING_RESULT ? [] : this.#result(item);
      case 'silence':
      case 'unclear':
        return [];
      default:
        return item satisfies never;
    }
  }

  /** A line of the agent: the vendor keeps as much of its reply, or learns a line that it did not speak. */
  #heard(line: string): readonly string[] {
    for (const reply of this.#replies) {
      const heard = reply.heardMs(line, this.#sampleRate);
      if (heard === null) continue;
      this.#settle(reply);
      return heard.isAll ? [] : this.#dialect.truncate(reply.name, heard.ms);
    }
    return this.#dialect.add('agent', line);
  }

  #result({ name, args = {}, result }: Extract<HistoryItem, { role: 'tool' }>): readonly string[] {
    const wanted = JSON.stringify(args);
    const calls = this.#replies.flatMap((reply) => reply.calls.map((call) => ({ reply, call })));
    const found =
      calls.find(({ call }) => call.name === name && call.args === wanted) ??
      calls.find(({ call }) => call.name === name);
    if (found === undefined) return [];
    const { reply, call } = found;
    reply.calls.splice(reply.calls.indexOf(call), 1);
    return this.#dialect.toolResult(call.id, name, result);
  }

  #forgetUnheard(): string[] {
    const unheard = this.#replies.filter(
      (reply) => reply.isDropped && !reply.hasCalled && !this.#isInHistory(reply),
    );
    for (const reply of unheard) this.#settle(reply);
    return unheard.flatMap((reply) => this.#dialect.forget(reply.name));
  }

  #isInHistory(reply: S2sReply): boolean {
    return this.#known.some(
      (item) => item.role === 'agent' && reply.heardMs(item.text, this.#sampleRate) !== null,
    );
  }

  /** Its calls may still wait for results. */
  #settle(reply: S2sReply): void {
    if (reply.calls.length === 0) this.#replies = this.#replies.filter((one) => one !== reply);
    else reply.pieces.length = 0;
  }
}
