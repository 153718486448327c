import { dropTalk, takeTalk } from '../../store/talk-journal.ts';
import type { Tx } from '../../store/database.ts';
import type { ConversationResult } from './conversation-result.ts';
import type { Settlement } from './settle-call.ts';

/** What was said and done in a conversation. */
export type Talk = Pick<
  ConversationResult,
  'transcript' | 'latencies' | 'interruptions' | 'toolLog' | 'firstUtteranceMs'
>;

/**
 * What is known of the talk of an attempt that ends here, and whose journal of it ends with it: its result, or, of a
 * conversation that was cut off, what the journal has. Null: nothing.
 */
export async function settledTalk(tx: Tx, s: Settlement): Promise<Talk | null> {
  if (s.end.kind === 'not_answered') return null;
  if (s.result === null) return joinedTalk(await takeTalk(tx, s));
  await dropTalk(tx, s);
  return s.result;
}

/** The pieces of a talk as one. */
export function joinedTalk(pieces: readonly string[]): Talk | null {
  const parts = pieces.map((piece) => JSON.parse(piece) as Talk);
  const last = parts.at(-1);
  if (last === undefined) return null;
  return {
    transcript: parts.flatMap(({ transcript }) => transcript),
    latencies: parts.flatMap(({ latencies }) => latencies),
    toolLog: parts.flatMap(({ toolLog }) => toolLog),
    interruptions: last.interruptions,
    firstUtteranceMs: last.firstUtteranceMs,
  };
}
