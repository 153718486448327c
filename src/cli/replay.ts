import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { foundIn as findingsOf, replayLog } from '../app/replay-log.ts';
import type { ReplayedLog } from '../domain/calls/replay.ts';
import { maskWords, readLog, writeLog } from '@callwright/turns';
import { createApiClient, ServiceError } from './api-client.ts';
import { colours, noColours, type Ink } from './live-view.ts';

export interface ReplayOptions {
  readonly url: string;
  readonly key: string | undefined;
  readonly save: boolean;
  readonly words: boolean;
}

/** A saved log, by its name. */
const LOG = /\.jsonl$/;

/**
 * Replays a call, or a saved log, through this program's conversation core, and prints its time line. `file`: where to save
 * it. Resolves with the exit code: 0 when every decision is the same, 1 when one differs or the log cannot be read.
 */
export async function runReplay(
  call: string,
  file: string | undefined,
  options: ReplayOptions,
): Promise<number> {
  try {
    const text = LOG.test(call) ? await readFile(call, 'utf8') : await fetchLog(call, options);
    const replayed = replayLog(text);
    const ink = process.stdout.isTTY ? colours : noColours;
    for (const line of [...rendered(replayed, ink), ...foundIn(text, ink)]) console.log(line);
    if (options.save)
      await saveFixture(file ?? `replay-${basename(call, '.jsonl')}.jsonl`, text, options.words);
    return replayed.difference === null ? 0 : 1;
  } catch (error) {
    const status = error instanceof ServiceError && error.status !== 0 ? `${error.status}: ` : '';
    console.error(`${status}${error instanceof Error ? error.message : String(error)}`);
    return error instanceof NoKey ? 2 : 1;
  }
}

class NoKey extends Error {}

async function fetchLog(callId: string, { url, key }: ReplayOptions): Promise<string> {
  if (key === undefined || key === '') {
    throw new NoKey(
      'No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file (the first start prints a key or writes DATA_DIR/api-key.txt).',
    );
  }
  const query = new URLSearchParams({ id: callId, send_log: 'true' });
  const { data } = await createApiClient(url, key).get<{ data: { log: string } }>(
    `/calling/replay?${query.toString()}`,
  );
  return data.log;
}

async function saveFixture(path: string, text: string, withWords: boolean): Promise<void> {
  const log = readLog(text);
  await writeFile(path, withWords ? writeLog(log) : writeLog(maskWords(log)), { mode: 0o600 });
  console.log(
    withWords
      ? `Saved with all words in ${path}: treat the file like a transcript.`
      : `Saved in ${path} without personal words; its decisions are those on the masked words.`,
  );
}

function rendered({ events, cutMs, difference, timeLine }: ReplayedLog, ink: Ink): string[] {
  const inked = { caller: 'caller', agent: 'agent', model: 'dim', tool: 'bold', call: 'dim' } as const;
  const lines = timeLine.map(
    ({ ms, source, text }) => `${clock(ms)}  ${ink[inked[source]](source.padEnd(6))}  ${text}`,
  );
  if (cutMs !== null) lines.push(`The log reached its limit: it has no events after ${clock(cutMs).trim()}.`);
  if (difference === null) return [...lines, ink.good(`All decisions on ${events} events are the same.`)];
  const { ms, event, call, replay } = difference;
  const list = (effects: readonly string[]): string =>
    effects.length === 0 ? 'nothing' : effects.join(', ');
  return [
    ...lines,
    ink.bad(`The first different decision is at ${clock(ms).trim()}, on the event ${event}:`),
    `  call    ${list(call)}`,
    `  replay  ${list(replay)}${list(call) === list(replay) ? ' (with other content)' : ''}`,
  ];
}

/** What the detectors of rehearsals find in the call. */
function foundIn(text: string, ink: Ink): string[] {
  return findingsOf(text).map(({ detector, atMs, detail }) =>
    ink.bad(`${clock(atMs)}  ${detector}: ${detail}`),
  );
}

/** Minutes, seconds and milliseconds, of one width in the first hour. */
function clock(ms: number): string {
  const whole = Math.round(ms);
  const minutes = String(Math.floor(whole / 60_000)).padStart(2);
  return `${minutes}:${((whole % 60_000) / 1000).toFixed(3).padStart(6, '0')}`;
}
