import { wordErrorRate } from '../audio/word-errors.ts';
import type { CallerLine } from '../audio/caller-lines.ts';
import { startFakeOpenAiServer } from '../openai-server.ts';
import { attachNumber, newInbound, inboundCalls, startPhoneService } from '../sip/phone-service.ts';
import { callService, startSipPeer, type Talk } from '../sip/sip-peer.ts';
import { createAgent, transcriptOf, whenOver } from '../service/scenario.ts';
import { eventually } from '../service/service.ts';

const CALLED = '+14155550100';
const CALLER = '+14155550188';
/** The agent has nothing more to say. */
const QUIET_MS = 1_500;
/** The answer to a line that was not recognised. */
const LONGEST_WAIT_MS = 60_000;

export interface SpokenCall {
  /** What the agent and the caller said by the record of the call. */
  readonly agent: readonly string[];
  readonly caller: readonly string[];
  /** What the caller's phone received, 8 kHz. */
  readonly received: Int16Array;
  readonly details: any;
}

/** A service with one agent, and a phone that calls it. */
export interface SpokenCalls {
  /** Calls, says the lines in turn, each after the agent's answer to the one before it, and hangs up. */
  hold(lines: readonly CallerLine[]): Promise<SpokenCall>;
  close(): Promise<void>;
}

export interface SpokenCallsOptions {
  readonly env: Record<string, string>;
  /** What a scripted model answers to everything; absent: `env` names a model. */
  readonly reply?: string;
}

export async function startSpokenCalls(options: SpokenCallsOptions): Promise<SpokenCalls> {
  const { env, reply } = options;
  const model = reply === undefined ? null : await startFakeOpenAiServer([{ text: reply }]);
  const peer = await startSipPeer();
  const { service, close } = await startPhoneService(
    [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
    [{ number: CALLED, trunk: 'peer' }],
    {
      LLM_PROVIDER: 'openai-compatible',
      ...(model === null ? {} : { LLM_BASE_URL: model.baseUrl, LLM_MODEL: 'any' }),
      ...env,
    },
  );
  peer.target(service.sipPort);
  const agentId = await createAgent(service, {
    agent_type: 'inbound',
    intro_message: 'Hello, this is Maya.',
    task: 'Answer each request with one word.',
    call_config: { mute_during_intro: false, idle_timeout_warning: 60, idle_timeout_end: 120 },
  });
  await attachNumber(service, agentId, CALLED);

  /** Waits until the agent has spoken and is quiet, or said nothing for too long. */
  const answered = async (talk: Talk, before: number): Promise<void> => {
    const since = Date.now();
    await eventually('the agent to answer', async () => {
      const hasSpoken = talk.soundFrames() > before && talk.quietMs() > QUIET_MS;
      return hasSpoken || Date.now() - since > LONGEST_WAIT_MS ? true : null;
    });
  };
  const said = async (talk: Talk, { pcm }: CallerLine): Promise<void> => {
    const before = talk.soundFrames();
    talk.line.say(pcm);
    await new Promise((resolve) => setTimeout(resolve, pcm.length / 8));
    await answered(talk, before);
  };
  const begin = async (): Promise<{ readonly talk: Talk; readonly callId: string }> => {
    const known = await inboundCalls(service);
    const talk = await callService(peer, CALLER, CALLED);
    return { talk, callId: await newInbound(service, known) };
  };
  /** Calls begin one after the other, so that each finds its own record. */
  let begun: Promise<unknown> = Promise.resolve();
  const call = async (speak: (talk: Talk) => Promise<void>): Promise<SpokenCall> => {
    const next = begun.then(begin);
    begun = next.catch(() => undefined);
    const { talk, callId } = await next;
    await speak(talk);
    talk.leg.hangup('normal');
    await talk.ended;
    const details = await whenOver(service, callId, 20_000);
    const lines = transcriptOf(details);
    return {
      agent: lines.flatMap(({ bot }) => bot ?? []),
      caller: lines.flatMap(({ user }) => user ?? []),
      received: talk.line.heard(),
      details,
    };
  };
  return {
    hold: (lines) =>
      call(async (talk) => {
        await answered(talk, 0);
        for (const line of lines) await said(talk, line);
      }),
    close: async () => {
      await close();
      await peer.stop();
      await model?.close();
    },
  };
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ORDINALS: Readonly<Record<string, string>> = { '3rd': 'third', '12th': 'twelfth' };

const small = (number: number): string =>
  number < 20
    ? ONES[number]!
    : `${TENS[Math.floor(number / 10)]} ${number % 10 === 0 ? '' : ONES[number % 10]}`;

/** Numbers as the callers of the fixture say them: small ones and years in words, others by their digits. */
function numberInWords(digits: string): string {
  const year = /^(1[1-9])(\d\d)$/.exec(digits);
  if (year !== null) return `${small(Number(year[1]))} ${small(Number(year[2]))}`;
  if (digits.length <= 2) return small(Number(digits));
  return Array.from(digits)
    .map((digit) => ONES[Number(digit)])
    .join(' ');
}

/** The text as spoken words, so that two ways of writing numbers count as the same. */
const inWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/\b(?:3rd|12th)\b/g, (ordinal) => ORDINALS[ordinal] ?? ordinal)
    .replaceAll("o'clock", 'o clock')
    .replaceAll(/\b9:30\b/g, 'half past nine')
    .replaceAll(/\d+/g, (digits) => ` ${numberInWords(digits)} `);

/** The share of wrong words of the texts, numbers compared as they are spoken. */
export const spokenErrorRate = (said: readonly string[], heard: readonly string[]): number =>
  wordErrorRate([{ said: inWords(said.join(' ')), heard: inWords(heard.join(' ')) }]);
