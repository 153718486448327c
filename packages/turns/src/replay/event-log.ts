import type { TurnEvent, TurnSettings } from '../turn/types.ts';

/** One event of a call, and what the turn machine decided on it (`decisionOf`). */
export interface LogEntry {
  readonly event: TurnEvent;
  readonly decision: string;
}

/** Everything that entered the turn machine during one call, with its decisions: enough to run the call again. */
export interface EventLog {
  readonly settings: TurnSettings;
  readonly entries: readonly LogEntry[];
  /** The log reached its limit this long after the first event: later events are missing; null: it is whole. */
  readonly cutMs: number | null;
  /** Words that the rules do not know are replaced, and the decisions are those on the replaced words. */
  readonly isMasked?: true;
}

/** The first line of a written log. `startedAt`: whole epoch ms, from which the times of its entries count. */
export interface LogHeader {
  readonly version: 1;
  readonly startedAt: number;
  readonly settings: TurnSettings;
  readonly cutMs: number | null;
  readonly isMasked?: true;
}

/** The whole ms from which the times of a log count: every time is restored to the last bit. */
export const startOf = (first: TurnEvent): number => Math.floor(first.at);

export const writeHeader = (header: LogHeader): string => `${JSON.stringify(header)}\n`;

/** One line: time, decision, event without its time. */
export function writeEntry({ event, decision }: LogEntry, startedAt: number): string {
  const { at, ...rest } = event;
  const told = 'since' in rest ? { ...rest, since: rest.since - startedAt } : rest;
  return `${JSON.stringify([at - startedAt, decision, told])}\n`;
}

export function writeLog(log: EventLog): string {
  const first = log.entries[0];
  const startedAt = first === undefined ? 0 : startOf(first.event);
  const { settings, cutMs, isMasked } = log;
  const header: LogHeader = { version: 1, startedAt, settings, cutMs, ...(isMasked ? { isMasked } : {}) };
  return writeHeader(header) + log.entries.map((entry) => writeEntry(entry, startedAt)).join('');
}

/** Reads a written log. Throws an error for a text that is none. */
export function readLog(text: string): EventLog {
  const [first = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const header = parsed(first) as Partial<LogHeader> | null;
  const isLog = header?.version === 1 && typeof header.startedAt === 'number' && header.settings != null;
  if (!isLog) throw new Error('this is no event log of a version that this program reads');
  const { startedAt = 0, settings = null, cutMs = null, isMasked } = header;
  return {
    settings: settings as TurnSettings,
    entries: lines.map((line) => readEntry(parsed(line), startedAt)),
    cutMs,
    ...(isMasked === true ? { isMasked } : {}),
  };
}

function readEntry(line: unknown, startedAt: number): LogEntry {
  const [ms, decision, rest] = Array.isArray(line) ? (line as unknown[]) : [];
  const isEntry = typeof ms === 'number' && typeof decision === 'string' && typeof rest === 'object';
  if (!isEntry || rest === null) throw new Error('an entry of the event log is damaged');
  const since = 'since' in rest && typeof rest.since === 'number' ? { since: startedAt + rest.since } : {};
  return { decision, event: { ...rest, ...since, at: startedAt + ms } as TurnEvent };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
