import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Service } from '../service/service.ts';
import type { ConversationResult } from '../../../src/voice/conversation.ts';
import { type EventLog, readLog } from '@callwright/turns';

/** The written event log of a conversation. */
export const logTextOf = ({ eventLog }: Pick<ConversationResult, 'eventLog'>): string =>
  gunzipSync(Buffer.from(eventLog ?? '', 'base64')).toString();

export const logOf = (result: Pick<ConversationResult, 'eventLog'>): EventLog => readLog(logTextOf(result));

/** A log of test/fixtures/replays as a record stores it. */
export const packedFixture = (name: string): Buffer =>
  gzipSync(readFileSync(new URL(`../../fixtures/replays/${name}.jsonl`, import.meta.url)));

/** The written log of a fixture whose agent never answers the last words of the caller, who hangs up. */
export function withoutReply(name: string): string {
  const lines = gunzipSync(packedFixture(name)).toString().trimEnd().split('\n');
  const last = lines.findLastIndex((line) => line.includes('"type":"final"'));
  const [ms] = JSON.parse(lines[last] ?? '[0]') as [number];
  return `${[...lines.slice(0, last + 1), JSON.stringify([ms + SILENCE_MS, '', { type: 'remote_hangup' }])].join('\n')}\n`;
}
const SILENCE_MS = 9_000;

/** How many conversations a service has held, and the ids of those whose replay decides otherwise or has no whole log. */
export async function replayAll(
  service: Pick<Service, 'request'>,
): Promise<{ readonly calls: number; readonly different: readonly string[] }> {
  const different: string[] = [];
  let calls = 0;
  // The last call may be settled a moment after its end.
  for (let n = 0; n < 600; n++) {
    const { body } = await service.request('GET', '/api/v0/calling/history?status=ongoing&limit=1');
    if (body.count === 0) break;
    await setTimeout(100);
  }
  for (let offset = 0; ; offset += 50) {
    const { body } = await service.request('GET', `/api/v0/calling/history?limit=50&offset=${offset}`);
    const page = body.calls as { id: string; call_status: string }[];
    for (const { id } of page.filter(({ call_status: status }) => status === 'completed')) {
      const { status, body: answer } = await service.request('GET', `/api/v0/calling/replay?id=${id}`);
      const isSame = status === 200 && answer.data.decides_the_same && answer.data.cut_after_seconds === null;
      calls += 1;
      if (!isSame) different.push(id);
    }
    if (page.length < 50) return { calls, different };
  }
}
