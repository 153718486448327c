import { setTimeout as sleep } from 'node:timers/promises';
import { withNoise } from '../../test/helpers/audio/caller-lines.ts';
import { watchLive } from '../../test/helpers/calls/live-call.ts';
import { whenOver } from '../../test/helpers/service/scenario.ts';
import { eventually, type Service } from '../../test/helpers/service/service.ts';
import { inboundCalls } from '../../test/helpers/sip/phone-service.ts';
import { callService, type SipPeer } from '../../test/helpers/sip/sip-peer.ts';
import { BYE, YES, type Caller } from './script.ts';
import { onTheLine } from './voices.ts';

export interface Said {
  readonly text: string;
  /** What the transcript has of it. */
  readonly heard: string;
  /** From the caller's last sound to the agent's first, ms; null: the agent did not sound again. */
  readonly reactionMs: number | null;
  /** What the agent said next. */
  readonly answer: string;
}

export interface HeldCall {
  readonly caller: Caller;
  readonly isNoisy: boolean;
  readonly said: readonly Said[];
  /** All that the agent said, by the transcript, and what the phone received. */
  readonly agentWords: string;
  readonly received: Int16Array;
  readonly endReason: string;
}

/** The agent has finished when it is quiet for this long. */
const QUIET_MS = 900;
const NOISE_DB = 15;
const MOST_LINES = 24;

/** What the caller says next; null: nothing fits. */
function nextLine(caller: Caller, agent: string, asked: number, hasChanged: boolean): string | null {
  const question = caller.questions[asked];
  if (question !== undefined) return question.ask;
  if (/anything else|how (?:may|can) i help/i.test(agent)) return BYE;
  if (/you said|correct\?|right\?|is that so/i.test(agent)) {
    const isDay = /day/i.test(agent) && !hasChanged;
    return isDay ? caller.change : YES;
  }
  if (/which day/i.test(agent)) return caller.day;
  if (/your name/i.test(agent)) return caller.name;
  return /number/i.test(agent) ? caller.number : null;
}

/** One inbound call: the caller asks, answers, changes the day, and says goodbye. The number distinguishes the ids of the calls. */
export async function holdCall(
  service: Service,
  peer: SipPeer,
  to: string,
  { caller, n, isNoisy }: { readonly caller: Caller; readonly n: number; readonly isNoisy: boolean },
): Promise<HeldCall> {
  const from = `+1415556${String(n).padStart(4, '0')}`;
  const talk = await callService(peer, from, to);
  const callId = await eventually('the call to be on record', () => callOf(service, from));
  const live = await watchLive(service, callId);
  const linesOf = (role: string, since: number): string =>
    live.events
      .slice(since)
      .flatMap(({ type, line }) => (type === 'line' && line.role === role ? [line.text as string] : []))
      .join(' ');
  const hasAnswered = async (since: number, sound: number): Promise<true | null> =>
    talk.soundFrames() > sound && talk.quietMs() > QUIET_MS && linesOf('agent', since) !== '' ? true : null;
  const said: Said[] = [];
  const over: { at: number | null } = { at: null };
  void talk.ended.then(() => (over.at = performance.now()));
  const isOver = (): boolean => over.at !== null;
  const wait = async (since: number, sound: number): Promise<void> => {
    await eventually(
      'the agent to have spoken',
      async () => (isOver() ? true : await hasAnswered(since, sound)),
      30_000,
    );
  };
  await wait(0, 0);
  let agent = linesOf('agent', 0);
  let asked = 0;
  let hasChanged = false;
  let last: string | null = null;
  while (said.length < MOST_LINES) {
    const isAskedAgain: boolean = last !== null && /still there|say that again/i.test(agent);
    const text: string | null = isOver()
      ? null
      : isAskedAgain
        ? last
        : nextLine(caller, agent, asked, hasChanged);
    if (text === null) break;
    if (!isAskedAgain && asked < caller.questions.length) asked += 1;
    last = text;
    if (text === caller.change) hasChanged = true;
    const clean = { text, pcm: onTheLine({ text, voice: caller.voice }) };
    const { pcm } = isNoisy ? withNoise(clean, NOISE_DB) : clean;
    const since = live.events.length;
    const sound = talk.soundFrames();
    talk.line.say(pcm);
    const lastSoundAt = performance.now() + (pcm.length / 8000) * 1000;
    const reactionMs = await reaction(lastSoundAt, talk, isOver);
    if (text === BYE)
      await eventually('the call to end', async () => (isOver() ? true : null), 30_000).catch(
        () => undefined,
      );
    else await wait(since, sound);
    // The last lines of the call come with its end.
    await sleep(100);
    agent = linesOf('agent', since);
    said.push({ text, heard: linesOf('caller', since), reactionMs, answer: agent });
  }
  if (!isOver()) talk.leg.hangup('normal');
  const call = await whenOver(service, callId);
  live.stop();
  return {
    caller,
    isNoisy,
    said,
    agentWords: linesOf('agent', 0),
    received: talk.line.heard(),
    endReason: call.call_sub_status,
  };
}

async function callOf(service: Service, from: string): Promise<string | null> {
  for (const id of await inboundCalls(service)) {
    const { body } = await service.request('GET', `/api/v0/calling/call-details?id=${id}`);
    if (body.data?.from_number === from) return id;
  }
  return null;
}

/** Ms from the caller's last sound to the first sound of the agent after it, to 20 ms; null: none within 10 s. */
async function reaction(
  lastSoundAt: number,
  talk: { quietMs(): number },
  isOver: () => boolean,
): Promise<number | null> {
  await sleep(Math.max(0, lastSoundAt - performance.now()));
  while (performance.now() - lastSoundAt < 10_000 && !isOver()) {
    const soundAt = performance.now() - talk.quietMs();
    if (soundAt > lastSoundAt) return Math.round(soundAt - lastSoundAt);
    await sleep(5);
  }
  return null;
}
