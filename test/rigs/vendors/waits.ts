import { codedSpeech } from '@callwright/stand-ins';
import type { ConversationResult } from '../../../src/voice/conversation.ts';
import {
  answerVirtualCall,
  type VirtualSession,
  type VirtualSessionOptions,
} from '../calls/virtual-session.ts';

/** A caller's call while a vendor fails. */
export interface Waits {
  /** The longest time in which the caller, who had finished, heard nothing of an answer that was due, ms. */
  readonly longestMs: number;
  /** The same by turn; the first one is the wait for the first message. */
  readonly byTurn: readonly number[];
  readonly result: ConversationResult;
}

/** Sentences of the caller, as tones. */
export const SAID = ['book a table now', 'for two of us', 'and on Friday please'] as const;
/** No reply within this is none. */
const LIMIT_MS = 12_000;

/**
 * Holds a call at real speed, as its vendors are behind sockets. `midway` is called in the middle of the caller's second
 * turn, `inReply` in the middle of the reply to the first one.
 */
export async function holdCall(
  options: VirtualSessionOptions,
  { midway, inReply }: { readonly midway?: () => void; readonly inReply?: () => void } = {},
): Promise<Waits> {
  const call = answerVirtualCall({ ...options, agent: { introMessage: 'Hello there.', ...options.agent } });
  const go = call.time.pace();
  const byTurn = [await answered(call, 0)];
  for (const [turn, text] of SAID.entries()) {
    if (call.isOver()) break;
    const pcm = codedSpeech(text, 8000);
    const lengthMs = pcm.length / 8;
    if (turn === 1 && midway !== undefined) call.time.after(lengthMs / 2, midway);
    call.person.say(pcm);
    byTurn.push(await answered(call, lengthMs, turn === 0 ? inReply : undefined));
    await call.time.advance(400);
  }
  call.session.remoteHangup(call.time.now());
  const result = await call.result();
  go();
  return { longestMs: Math.max(...byTurn), byTurn, result };
}

/** Waits for the agent's next line; returns the longest silence that the caller heard after their own `lengthMs`. */
async function answered(call: VirtualSession, lengthMs: number, inReply?: () => void): Promise<number> {
  const { time, person, live } = call;
  const quietFrom = time.now() + lengthMs;
  const before = agentLines(live);
  let longest = 0;
  const soundBefore = person.soundMs();
  let isCalled = false;
  const remove = time.onTick((at) => {
    longest = Math.max(longest, Math.min(at - quietFrom, person.quietMs()));
    if (isCalled || person.soundMs() < soundBefore + 300) return;
    isCalled = true;
    inReply?.();
  });
  await time.until('an answer of the agent', () => agentLines(live) > before, lengthMs + LIMIT_MS);
  remove();
  return longest;
}

const agentLines = (live: VirtualSession['live']): number =>
  live.filter((event) => event.type === 'line' && event.line.role === 'agent').length;
