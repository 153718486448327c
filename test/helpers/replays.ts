import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ConversationResult } from '../../src/voice/conversation.ts';
import { readLog, type EventLog } from '../../src/voice/replay/event-log.ts';

/** The written event log of a conversation. */
export const logTextOf = ({ eventLog }: Pick<ConversationResult, 'eventLog'>): string =>
  gunzipSync(Buffer.from(eventLog ?? '', 'base64')).toString();

export const logOf = (result: Pick<ConversationResult, 'eventLog'>): EventLog => readLog(logTextOf(result));

/** A log of test/fixtures/replays as a record stores it. */
export const packedFixture = (name: string): Buffer =>
  gzipSync(readFileSync(new URL(`../fixtures/replays/${name}.jsonl`, import.meta.url)));
