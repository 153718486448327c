import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { maskedArgs } from '../shared/masked-args.ts';
import type { ToolSpec } from '../providers/ports/model.ts';
import {
  type TurnEffect,
  type TurnEvent,
  type TurnState,
  decisionOf,
  hidesKeys,
  maskedKey,
  startOf,
  writeEntry,
  writeHeader,
} from '@callwright/turns';

const compress = promisify(gzip);

/** Lines are compressed in pieces of this many characters. */
const PIECE = 16_384;
/** Limits of a log: its events, its characters, and its compressed bytes. */
const MOST_EVENTS = 20_000;
const MOST_CHARACTERS = 1_500_000;
const MOST_BYTES = 65_536;
/** Results of tools are shown in a time line only. */
const LONGEST_RESULT = 200;

type KeyEvent = TurnEvent & { type: 'dtmf' };

const hiddenKey = (event: KeyEvent, before: TurnState): KeyEvent => ({
  ...event,
  digit: maskedKey(before, event.digit),
  masked: true,
});

interface Step {
  readonly before: TurnState;
  readonly state: TurnState;
  readonly effects: readonly TurnEffect[];
}

/**
 * Keeps the events of a call for its replay, compressed beside the call's thread. What the transcript hides is hidden:
 * of sensitive keys only their times remain, and of sensitive arguments only which of them are equal.
 */
export class EventLogWriter {
  readonly #settings: TurnState['settings'];
  readonly #tools: ReadonlyMap<string, ToolSpec>;
  /** Arguments with hidden values: equal ones get the same number. */
  readonly #hiddenArgs = new Map<string, number>();
  /** Pieces that are compressed, in order. */
  #pieces: Promise<readonly Buffer[]> = Promise.resolve([]);
  #bytes = 0;
  #lines: string[] = [];
  #pending = 0;
  #characters = 0;
  #events = 0;
  /** Keys of the open entry, with their places in `#lines`. */
  #openKeys: { place: number; event: KeyEvent; decision: string; before: TurnState }[] = [];
  #startedAt: number | null = null;
  #cutAt: number | null = null;

  constructor(settings: TurnState['settings'], tools: readonly ToolSpec[]) {
    this.#settings = settings;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  add(event: TurnEvent, step: Step): void {
    if (this.#cutAt !== null) return;
    this.#startedAt ??= startOf(event);
    const isFull = this.#events >= MOST_EVENTS || this.#characters >= MOST_CHARACTERS;
    if (isFull || this.#bytes >= MOST_BYTES) return this.#cut(event.at);
    try {
      this.#write(event, step);
    } catch {
      // A tool's arguments may hold what JSON cannot.
      this.#cut(event.at);
    }
  }

  /** The whole log, compressed; null: there was no event. */
  async close(): Promise<Buffer | null> {
    if (this.#startedAt === null) return null;
    this.#flush();
    const cutMs = this.#cutAt === null ? null : this.#cutAt - this.#startedAt;
    const header = writeHeader({ version: 1, startedAt: this.#startedAt, settings: this.#settings, cutMs });
    return Buffer.concat([await compress(header), ...(await this.#pieces)]);
  }

  #write(event: TurnEvent, { before, state, effects }: Step): void {
    const decision = decisionOf(effects);
    const kept = this.#withoutSecrets(event, before);
    if (event.type === 'dtmf') {
      this.#openKeys.push({ place: this.#lines.length, event, decision, before });
    }
    this.#push(writeEntry({ event: kept, decision }, this.#startedAt ?? 0));
    // The entry turned out to be sensitive after its first key.
    if (effects.some(({ type }) => type === 'hidden_keys')) this.#hideOpenKeys();
    if (state.keypad !== null) return;
    this.#openKeys = [];
    if (this.#pending >= PIECE) this.#flush();
  }

  #withoutSecrets(event: TurnEvent, before: TurnState): TurnEvent {
    const { type } = event;
    if (type === 'dtmf') return hidesKeys(before, event.at) ? hiddenKey(event, before) : event;
    if (type === 'reply_tool') return { ...event, args: this.#withoutSensitive(event.name, event.args) };
    if (type === 'reply_done') return { ...event, memory: event.memory === null ? null : event.replyId };
    if (type !== 'tool_result') return event;
    const { variables: _, ...rest } = event;
    return { ...rest, result: (JSON.stringify(event.result) ?? '').slice(0, LONGEST_RESULT) };
  }

  /** Equal arguments stay equal and others different: the turn machine runs the same call once in a turn. */
  #withoutSensitive(name: string, args: Record<string, unknown>): Record<string, unknown> {
    const masked = maskedArgs(args, this.#tools.get(name)?.sensitive);
    const whole = JSON.stringify(args);
    if (JSON.stringify(masked) === whole) return args;
    const number = this.#hiddenArgs.get(whole) ?? this.#hiddenArgs.size + 1;
    this.#hiddenArgs.set(whole, number);
    return { ...masked, hidden: number };
  }

  #hideOpenKeys(): void {
    for (const { place, event, decision, before } of this.#openKeys) {
      const hidden = hiddenKey(event, before);
      this.#lines[place] = writeEntry({ event: hidden, decision }, this.#startedAt ?? 0);
    }
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#events += 1;
    this.#pending += line.length;
    this.#characters += line.length;
  }

  #cut(at: number): void {
    this.#cutAt = at;
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#pending = 0;
    this.#pieces = this.#pieces.then(async (pieces) => {
      const piece = await compress(text);
      this.#bytes += piece.length;
      return [...pieces, piece];
    });
    // Thrown by `close`.
    this.#pieces.catch(() => undefined);
  }
}
