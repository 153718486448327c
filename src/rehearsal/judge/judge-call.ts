import { hasPhrase, normal } from '@callwright/language';
import { judgeByRules } from '../../domain/test-cases/judge.ts';
import type { Expectation, PlayedTurn, Verdict } from '../../store/json/test-case.ts';
import { DETECTORS, type Alarm, type DetectorName } from '../detect/alarm.ts';
import type { AgentSound, CallerSound, PlayedCall } from '../play/rehearsal.ts';
import type { RehearsalExpectation } from '../scenario/document.ts';

/** Whether each expectation of a scenario held in a call, in order. Pure. */
export function judgeCall(
  expectations: readonly RehearsalExpectation[],
  call: PlayedCall,
  alarms: readonly Alarm[],
): Verdict[] {
  const turns = turnsOf(call);
  const end = call.end?.reason ?? null;
  return expectations.map((each) => {
    switch (each.type) {
      case 'replies_within':
        return repliesWithin(each.seconds, call);
      case 'stops_within':
        return stopsWithin(each.seconds, call);
      case 'no_reply_for':
        return noReplyFor(each, call);
      case 'no_overlap':
        return noOverlap(each.seconds ?? USUAL_OVERLAP, call);
      case 'no_alarm':
        return noAlarm(each.of ?? DETECTORS, alarms);
      case 'ends':
        return verdict(
          each.as.some((code) => code === (end ?? 'OPEN')),
          end === null ? 'The call did not end.' : `It ended as ${end}.`,
        );
      case 'says':
      case 'never_says':
      case 'calls_tool':
      case 'never_calls_tool':
        return judgeByRules([asExpectation(each)], { turns, end })[0]!;
      default:
        return each satisfies never;
    }
  });
}

/** Less is the time in which the agent notices that the caller has begun. */
const USUAL_OVERLAP = 0.7;

type OfCases = Extract<
  RehearsalExpectation,
  { readonly type: 'says' | 'never_says' | 'calls_tool' | 'never_calls_tool' }
>;

/** The same expectation as test cases name it. */
function asExpectation(each: OfCases): Expectation {
  if (!('any_of' in each)) return each;
  const { any_of: anyOf, ...rest } = each;
  return { ...rest, anyOf };
}

const verdict = (holds: boolean, reason: string): Verdict => ({
  result: holds ? 'held' : 'not_held',
  reason,
});
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const clipped = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

/** Sounds of the caller that the agent has to answer. */
const isTurn = ({ kind }: CallerSound): boolean => kind === 'turn' || kind === 'interruption';

/** The turns of a call as those of a test case: 0 is what the agent said before the caller's first turn. */
function turnsOf({ agent, caller, tools, end }: PlayedCall): PlayedTurn[] {
  const asked = caller.filter(isTurn);
  const spans: { readonly line: string | null; readonly from: number }[] = [
    { line: null, from: 0 },
    ...asked.map(({ text, from }) => ({ line: text, from })),
  ];
  return spans.map(({ line, from }, at) => {
    const to = spans[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const isIn = (ms: number): boolean => ms >= from && ms < to;
    const said = agent.filter((sound) => isIn(sound.from)).map(({ text }) => text);
    return {
      line,
      // Sentences of one reply are one text, so that a phrase may span two of them.
      said: said.length === 0 ? [] : [said.join(' ')],
      tools: tools
        .filter((tool) => isIn(tool.at))
        .map(({ name, args, result, ok, ms }) => ({ name, args: { ...args }, result, ok, ms })),
      usage: [],
      end: at === spans.length - 1 ? (end?.reason ?? null) : null,
      ms: 0,
    };
  });
}

/** The first sound of the agent that begins in an answer to the caller's. */
const replyTo = (caller: CallerSound, { agent }: PlayedCall): AgentSound | undefined =>
  agent.find(({ from }) => from >= caller.to);

/** Turns that an answer is due to: those after which the caller says nothing itself before the agent does. */
function repliesWithin(most: number, call: PlayedCall): Verdict {
  const turns = call.caller.filter(isTurn);
  let slowest: { readonly ms: number; readonly text: string } | null = null;
  for (const [at, turn] of turns.entries()) {
    const reply = replyTo(turn, call);
    const next = turns[at + 1];
    if (next !== undefined && (reply === undefined || next.from < reply.from)) continue;
    const end = call.end?.at ?? Number.POSITIVE_INFINITY;
    if (reply === undefined && end - turn.to <= most * 1_000) continue;
    const ms = (reply?.from ?? end) - turn.to;
    if (slowest === null || ms > slowest.ms) slowest = { ms, text: turn.text };
  }
  if (slowest === null) return verdict(true, 'The caller took no turn that needed a reply.');
  const after = Number.isFinite(slowest.ms) ? `${seconds(slowest.ms)} after` : 'never after';
  return verdict(slowest.ms <= most * 1_000, `The slowest reply came ${after} “${clipped(slowest.text)}”.`);
}

/** From the first sound of an interruption to the agent's last. */
function stopsWithin(most: number, call: PlayedCall): Verdict {
  const found = call.caller
    .filter(({ kind }) => kind === 'interruption')
    .flatMap(({ from, text }) => {
      const sound = call.agent.find((each) => each.from < from && each.to > from);
      return sound === undefined ? [] : [{ ms: sound.to - from, text }];
    });
  const slowest = found.toSorted((a, b) => b.ms - a.ms)[0];
  if (slowest === undefined) return verdict(true, 'Nobody interrupted the agent.');
  return verdict(
    slowest.ms <= most * 1_000,
    `After “${clipped(slowest.text)}” the agent spoke on for ${seconds(slowest.ms)}.`,
  );
}

function noReplyFor(
  { seconds: least, after }: Extract<RehearsalExpectation, { readonly type: 'no_reply_for' }>,
  call: PlayedCall,
): Verdict {
  const forms = after.map((phrase) => normal(phrase));
  for (const sound of call.caller) {
    const text = normal(sound.text);
    if (!forms.some((form) => hasPhrase(text, form))) continue;
    const reply = replyTo(sound, call);
    const next = call.caller.find(({ from }) => from >= sound.to);
    if (reply === undefined || (next !== undefined && next.from < reply.from)) continue;
    const ms = reply.from - sound.to;
    if (ms < least * 1_000)
      return verdict(
        false,
        `The agent spoke ${seconds(ms)} after “${clipped(sound.text)}”: ${clipped(reply.text)}`,
      );
  }
  return verdict(true, 'The agent left the caller the time.');
}

/** The agent does not begin to speak while the caller takes a turn. */
function noOverlap(most: number, call: PlayedCall): Verdict {
  const turns = call.caller.filter(({ kind }) => kind === 'turn');
  for (const { text, from, to } of call.agent) {
    const over = turns.find((turn) => from > turn.from && from < turn.to);
    if (over === undefined) continue;
    const ms = Math.min(to, over.to) - from;
    if (ms > most * 1_000)
      return verdict(
        false,
        `The agent talked for ${seconds(ms)} over “${clipped(over.text)}”: ${clipped(text)}`,
      );
  }
  return verdict(true, 'The agent did not talk over the caller.');
}

function noAlarm(of: readonly DetectorName[], alarms: readonly Alarm[]): Verdict {
  const found = alarms.find(({ detector }) => of.includes(detector));
  if (found === undefined) return verdict(true, 'No detector found anything.');
  return verdict(false, `${found.detector} at ${seconds(found.at)}: ${found.detail}`);
}
