import type { HistoryItem } from '../ports.ts';
import { dropReply } from './closing.ts';
import { acceptReply, failure, generate } from './reply.ts';
import { say } from './speaking.ts';
import { change, changeReply, isTalking, type Step, type TurnState } from './state.ts';
import { callerItems, callerLines, sealTurn } from './transcript.ts';
import type { TurnEvent } from './types.ts';

/** A tool that has not answered by then has failed; a brain that calls tools for ever is stopped. */
const TOOL_TIMEOUT_MS = 12_000;
/** The tool's own limit comes first: its answer says more than ours. */
const MARGIN_MS = 1_000;
const MOST_ROUNDS = 6;
/** A wait this short needs no words; one this long without any is dead air. */
const FILLER_AFTER_MS = 350;
const DEAD_AIR_MS = 4_500;

type Pending = TurnState['tools']['pending'][number];

/** Carries out the held tool calls of a reply that may sound. */
export function callTools(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null || reply.phase !== 'released' || reply.heldTools.length === 0) return step;
  let next = changeReply(sealTurn(step), { heldTools: [], calledTools: true });
  for (const { id, name, args } of reply.heldTools) {
    const ending = next.state.reply?.ending ?? null;
    if (name === 'end_call') {
      next = changeReply(next, { ending: ending ?? { reason: 'AGENT_ENDED', cancellable: true } });
      continue;
    }
    const call = { type: 'tool', replyId: reply.id, id, name, args } as const;
    if (name === 'opt_out') {
      next = changeReply(next, { ending: { reason: 'OPTED_OUT', cancellable: false } }, call);
      continue;
    }
    const { tools, settings } = next.state;
    const rule = settings.tools?.[name];
    const timeoutMs = rule?.timeoutMs === undefined ? TOOL_TIMEOUT_MS : rule.timeoutMs + MARGIN_MS;
    const asked: Pending = {
      id,
      name,
      args,
      until: at + timeoutMs,
      replyId: reply.id,
      quiet: false,
      keys: rule?.keys ?? null,
    };
    const text = asked.keys === null ? drawFiller(next.state) : null;
    const filler = text === null ? tools.filler : { at: at + FILLER_AFTER_MS, text };
    next = change(next, { tools: { ...tools, pending: [...tools.pending, asked], filler } }, call);
  }
  return acceptReply(next);
}

/** The phrase to fill this wait with, if any: the same for the same moment of a call. */
function drawFiller({ settings, call, nextReplyId }: TurnState): string | null {
  const { phrases = [], probability = 0 } = settings.fillers ?? {};
  if (phrases.length === 0 || call.phase !== 'talking') return null;
  let x = Math.imul(Math.trunc(call.answeredAt) ^ (nextReplyId * 0x9e3779b1), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  const drawn = ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  return drawn < probability ? (phrases[(x >>> 7) % phrases.length] ?? null) : null;
}

/** A result joins the history after the reply that asked for it. */
export function onToolResult(
  step: Step,
  event: Pick<Extract<TurnEvent, { type: 'tool_result' }>, 'replyId' | 'id' | 'result' | 'variables'>,
): Step {
  const { tools, reply, history } = step.state;
  // Models number their calls anew in every reply.
  const asked = tools.pending.find((call) => call.id === event.id && call.replyId === event.replyId);
  if (asked === undefined) return step;
  const pending = tools.pending.filter((call) => call !== asked);
  const item: HistoryItem = {
    role: 'tool',
    name: asked.name,
    ...(Object.keys(asked.args).length === 0 ? {} : { args: asked.args }),
    result: event.result,
    ...(event.variables === undefined ? {} : { variables: event.variables }),
  };
  const filler = pending.length === 0 ? null : tools.filler;
  if (reply === null || reply.phase === 'prepared') {
    // A reply prepared without the result is out of date.
    const known = {
      history: [...history, item],
      tools: { ...tools, pending, filler, fresh: tools.fresh || !asked.quiet },
    };
    return change(dropReply(step), known);
  }
  if (asked.quiet && asked.replyId !== reply.id) {
    return change(step, { history: [...history, item], tools: { ...tools, pending, filler } });
  }
  return change(step, { tools: { ...tools, pending, filler, results: [...tools.results, item] } });
}

/** The caller cut the reply off: what its tools still bring is known from then on, and calls for no words. */
export function quietTools(step: Step, replyId: number): Step {
  const { tools } = step.state;
  const pending = tools.pending.map((call) =>
    call.replyId === replyId && call.keys === null ? { ...call, quiet: true } : call,
  );
  return change(step, { tools: { ...tools, pending, filler: null } });
}

/** Keys are waited for from the agent's last word, or the last key, on. */
function untilOf(state: TurnState, call: Pending): number {
  if (call.keys === null) return call.until;
  if (state.reply !== null || state.keypad !== null || isTalking(state.caller)) return Infinity;
  const waitMs = state.settings.tools?.[call.name]?.timeoutMs ?? TOOL_TIMEOUT_MS;
  return Math.max(call.until - waitMs - MARGIN_MS, state.idle.since) + waitMs;
}

export function toolTimeoutDue(state: TurnState): number | null {
  const untils = state.tools.pending.map((call) => untilOf(state, call));
  return untils.length === 0 ? null : Math.min(...untils);
}

export function timeOutTools(step: Step, at: number): Step {
  let next = step;
  for (const call of step.state.tools.pending) {
    if (untilOf(step.state, call) > at) continue;
    const result = call.keys === null ? { error: 'timeout' } : { digits: '', status: 'no key was pressed' };
    next = settle(next, call, false, result);
  }
  return next;
}

/** Ends a tool with a result of the conversation's own. */
function settle(step: Step, call: Pending, ok: boolean, result: unknown): Step {
  const { id, replyId } = call;
  return change(
    onToolResult(step, { id, replyId, result }),
    {},
    { type: 'tool_over', replyId, id, ok, result },
  );
}

/** The tool that the caller's next keys are for. */
export const waitingForKeys = ({ tools }: TurnState): Pending | null =>
  tools.pending.find((call) => call.keys !== null && !call.quiet) ?? null;

/** The keys pressed are what a tool waits for. */
export function answerKeys(step: Step, call: Pending, at: number): Step {
  const { keypad } = step.state;
  if (keypad === null) return step;
  let next = change(sealTurn(step), { keypad: null, idle: { since: at, warned: false } });
  for (const line of callerLines({
    text: '',
    keypad,
    startedAt: keypad.firstAt,
    lastSoundAt: keypad.lastAt,
  })) {
    next = change(next, {}, { type: 'transcribe', line });
  }
  next = change(next, { history: [...next.state.history, ...callerItems('', keypad)] });
  return settle(next, call, true, { digits: keypad.digits, status: 'pressed' });
}

/** The caller speaks instead of pressing keys: nobody waits for them any more. */
export function endKeyWaits(step: Step): Step {
  const call = waitingForKeys(step.state);
  if (call === null) return step;
  const { tools } = step.state;
  const pending = tools.pending.map((other) => (other === call ? { ...call, quiet: true } : other));
  const quiet = change(step, { tools: { ...tools, pending } });
  return settle(quiet, { ...call, quiet: true }, false, { digits: '', status: 'the caller spoke instead' });
}

/** Both are silent, and something is owed to the caller that is not there yet. */
function isWaiting({ tools, reply, caller, keypad, held }: TurnState): boolean {
  if (held || reply !== null || keypad !== null || isTalking(caller) || caller.text !== '') return false;
  return caller.awaitingUntil === null && tools.pending.some((call) => !call.quiet && call.keys === null);
}

export const fillerDue = (state: TurnState): number | null =>
  isWaiting(state) ? (state.tools.filler?.at ?? null) : null;

export function sayFiller(step: Step, at: number): Step {
  const { tools } = step.state;
  const noted = change(step, { tools: { ...tools, filler: null } });
  return say(noted, tools.filler?.text ?? '', at, { kind: 'phrase' });
}

/** A wait is broken by a word before it is dead air. */
export const deadAirDue = (state: TurnState): number | null =>
  isWaiting(state) ? state.idle.since + DEAD_AIR_MS : null;

export const breakDeadAir = (step: Step, at: number): Step =>
  say(step, step.state.settings.phrases.oneMoment, at, { kind: 'phrase' });

/** All results are in and nobody speaks: the brain goes on with them. */
export function followUpDue(state: TurnState): number | null {
  const { tools, caller, keypad, reply } = state;
  if (!tools.fresh || tools.pending.some((call) => !call.quiet) || reply !== null || keypad !== null)
    return null;
  return isTalking(caller) || caller.text !== '' || caller.awaitingUntil !== null ? null : 0;
}

export function followUp(step: Step, at: number): Step {
  const { tools } = step.state;
  if (tools.rounds >= MOST_ROUNDS) return failure(change(step, { tools: { ...tools, fresh: false } }), at);
  return generate(change(step, { tools: { ...tools, rounds: tools.rounds + 1 } }), at, {
    speculative: false,
  });
}
