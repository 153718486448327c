import { type HistoryItem, PENDING_RESULT } from '@callwright/turns';
import { noteText, resultText } from '../llm/messages.ts';
import type { ReplyCause, S2sDialect, S2sUtterance } from './dialect.ts';
import type { Piece } from './piece.ts';
import type { S2sReply } from './reply.ts';

const KEPT_REPLIES = 4;

/** Words within a piece of a reply, and the share of the piece before them. */
export interface Found {
  readonly piece: Piece;
  readonly share: number;
}

const same = (a: HistoryItem | undefined, b: HistoryItem | undefined): boolean =>
  a !== undefined && b !== undefined && (a === b || JSON.stringify(a) === JSON.stringify(b));

const callerText = ({ by, text }: Extract<HistoryItem, { role: 'caller' }>): string =>
  by === 'keypad' ? `[keypad] ${text}` : text;

function lineOf(item: HistoryItem): S2sUtterance[] {
  switch (item.role) {
    case 'agent':
      return [{ role: 'agent', text: item.text }];
    case 'caller':
      return [{ role: 'caller', text: callerText(item) }];
    case 'note':
      return [{ role: 'caller', text: noteText(item.text) }];
    case 'tool':
      if (item.result === PENDING_RESULT) return [];
      return [{ role: 'caller', text: `[result of ${item.name}] ${resultText(item.result)}` }];
    case 'silence':
    case 'unclear':
      return [];
    default:
      return item satisfies never;
  }
}

/**
 * Keeps the vendor's conversation in step with ours. Before each reply it adds what the vendor could not hear: keys, tool
 * results, utterances of other voices, and how much of its replies the caller heard.
 */
export class HistorySync {
  readonly #dialect: S2sDialect;
  readonly #sampleRate: number;
  #known: readonly HistoryItem[] = [];
  /** Replies whose audio may still play, the newest last. */
  #replies: S2sReply[] = [];

  constructor(dialect: S2sDialect, sampleRate: number) {
    this.#dialect = dialect;
    this.#sampleRate = sampleRate;
  }

  /** The kept replies, the newest first. */
  get #newestFirst(): readonly S2sReply[] {
    return this.#replies.toReversed();
  }

  /** Finds the audio of these words. */
  find(text: string): Found | null {
    const pieces = this.#newestFirst.flatMap((reply) => reply.pieces);
    const next = pieces.find((piece) => !piece.isTaken && piece.text === text);
    if (next !== undefined) return { piece: next, share: 0 };
    const resumed = pieces.findLast((piece) => piece.isTaken && piece.text.endsWith(text));
    if (resumed === undefined) return null;
    return { piece: resumed, share: (resumed.text.length - text.length) / resumed.text.length };
  }

  /** A tool call is open; only this session accepts its result. */
  get waitsForTools(): boolean {
    return this.#replies.some((reply) => reply.calls.length > 0);
  }

  /** All utterances so far, for a new session. */
  lines(): readonly S2sUtterance[] {
    const spoken = this.#replies.flatMap((reply): S2sUtterance[] => {
      const text = reply.pieces.map((piece) => piece.text).join(' ');
      return text === '' || reply.isDropped || this.#isInHistory(reply) ? [] : [{ role: 'agent', text }];
    });
    return [...this.#known.flatMap(lineOf), ...spoken];
  }

  add(reply: S2sReply): void {
    this.#replies = [...this.#replies, reply].slice(-KEPT_REPLIES);
  }

  /** What the next reply responds to, after `history`. */
  static causeOf(history: readonly HistoryItem[]): ReplyCause {
    const last = history.at(-1);
    if (last?.role === 'silence') return 'silence';
    return last?.role === 'tool' && last.result !== PENDING_RESULT ? 'tool' : 'caller';
  }

  /** Messages that add what `history` has and the vendor lacks. */
  sync(history: readonly HistoryItem[]): string[] {
    let from = 0;
    while (from < history.length && same(history[from], this.#known[from])) from += 1;
    this.#known = history;
    const messages = history.slice(from).flatMap((item) => this.#add(item));
    return [...this.#deleteUnheard(), ...messages];
  }

  #add(item: HistoryItem): readonly string[] {
    switch (item.role) {
      case 'agent':
        return this.#heard(item.text);
      case 'caller':
        // The vendor has heard spoken turns itself.
        if (item.by === 'speech') return [];
        return this.#dialect.add('caller', callerText(item));
      case 'note':
        return this.#dialect.add('caller', noteText(item.text));
      case 'tool':
        return item.result === PENDING_RESULT ? [] : this.#result(item);
      case 'silence':
      case 'unclear':
        return [];
      default:
        return item satisfies never;
    }
  }

  /** Truncates the vendor's reply to what was heard, or adds an utterance of another voice. */
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

  #deleteUnheard(): string[] {
    const unheard = this.#replies.filter(
      (reply) => reply.isDropped && !reply.hasCalled && !this.#isInHistory(reply),
    );
    for (const reply of unheard) this.#settle(reply);
    return unheard.flatMap((reply) => this.#dialect.deleteReply(reply.name));
  }

  #isInHistory(reply: S2sReply): boolean {
    return this.#known.some(
      (item) => item.role === 'agent' && reply.heardMs(item.text, this.#sampleRate) !== null,
    );
  }

  /** Releases a reply whose history is final; one with open tool calls stays for their results. */
  #settle(reply: S2sReply): void {
    if (reply.calls.length === 0) this.#replies = this.#replies.filter((one) => one !== reply);
    else reply.pieces.length = 0;
  }
}
