import type { HistoryItem } from './ports.ts';
import { dropReply } from './closing.ts';
import { acceptReply, failure, generate } from './reply.ts';
import { owedUntil } from './segment.ts';
import { say } from './speaking.ts';
import { isTalking } from './caller-state.ts';
import type { Reply } from './reply-state.ts';
import { change, changeReply, type Step, type TurnState } from './state.ts';
import { callerItems, callerLines, readableKeys, sealTurn } from './transcript.ts';
import { drawFiller, FILLER_AFTER_MS, momentNow } from './policies/filler.ts';
import { toolKey } from './tool-keys.ts';
import type { TurnEvent } from './types.ts';

/** Timeout of a tool without its own. */
const TOOL_TIMEOUT_MS = 12_000;
/** Added to a tool's own timeout, so that its error arrives first. */
const MARGIN_MS = 1_000;
/** Limit of consecutive replies that call tools. */
const MAX_ROUNDS = 6;
/** Silence that is dead air. */
const DEAD_AIR_MS = 4_500;

type Pending = TurnState['tools']['pending'][number];

/** Starts the held tool calls of a released reply. */
export function callTools(step: Step, at: number): Step {
  const { reply } = step.state;
  if (reply === null || reply.playing.phase !== 'released' || reply.heldTools.length === 0) return step;
  let next = changeReply(sealTurn(step), { heldTools: [], calledTools: true });
  for (const { id, name, args } of reply.heldTools) {
    const ending = next.state.reply?.ending ?? null;
    if (name === 'end_call') {
      next = changeReply(next, {
        ending: ending ?? { reason: 'AGENT_ENDED', cancellable: true, closeBy: null },
      });
      continue;
    }
    const key = toolKey({ name, args }, next.state.turns);
    const call = { type: 'tool', replyId: reply.id, id, name, args, key } as const;
    if (name === 'opt_out') {
      next = changeReply(next, { ending: { reason: 'OPTED_OUT', cancellable: false, closeBy: null } }, call);
      continue;
    }
    const { tools, settings } = next.state;
    const rule = settings.tools?.[name];
    // The first call's result answers the second: it is in the history, or will be.
    if (rule?.repeats !== true && isKnown(next.state, key)) {
      next = change(next, { tools: { ...tools, fresh: tools.fresh || tools.done.includes(key) } });
      continue;
    }
    const timeoutMs = rule?.timeoutMs === undefined ? TOOL_TIMEOUT_MS : rule.timeoutMs + MARGIN_MS;
    const started: Pending = {
      id,
      name,
      args,
      until: at + timeoutMs,
      replyId: reply.id,
      key,
      quiet: false,
      keys: rule?.keys ?? null,
    };
    const text = started.keys === null ? drawFiller(next.state) : null;
    const filler = text === null ? tools.filler : { at: at + FILLER_AFTER_MS, text };
    next = change(next, { tools: { ...tools, pending: [...tools.pending, started], filler } }, call);
  }
  return acceptReply(next);
}

/** Whether the call runs or has run in this turn. */
const isKnown = ({ tools }: TurnState, key: string): boolean =>
  tools.done.includes(key) || tools.pending.some((call) => call.key === key);

/** Adds a result to the history, after the reply that called the tool. */
export function onToolResult(
  step: Step,
  event: Pick<Extract<TurnEvent, { type: 'tool_result' }>, 'replyId' | 'id' | 'result' | 'variables' | 'at'>,
): Step {
  const { tools, reply, history } = step.state;
  // Call ids are unique within a reply only.
  const call = tools.pending.find(({ id, replyId }) => id === event.id && replyId === event.replyId);
  if (call === undefined) return step;
  const pending = tools.pending.filter((other) => other !== call);
  const item: HistoryItem = {
    role: 'tool',
    name: call.name,
    ...(Object.keys(call.args).length === 0 ? {} : { args: call.args }),
    result: event.result,
    key: call.key,
    ...(event.variables === undefined ? {} : { variables: event.variables }),
  };
  const filler = pending.length === 0 ? null : tools.filler;
  const done = [...tools.done, call.key];
  if (reply === null || reply.playing.phase === 'prepared') {
    // A prepared reply does not know the result: drop it.
    const patch = {
      history: [...history, item],
      tools: { ...tools, pending, filler, done, fresh: tools.fresh || !call.quiet },
    };
    return change(dropReply(step), patch);
  }
  if (call.quiet && call.replyId !== reply.id) {
    return change(step, { history: [...history, item], tools: { ...tools, pending, filler, done } });
  }
  if (isUnheard(reply, call)) {
    // The caller has said more and has heard no answer yet: one reply answers both.
    const known = change(step, { history: [...history, item], tools: { ...tools, pending, filler, done } });
    return generate(dropReply(known), event.at, { speculative: false });
  }
  return change(step, { tools: { ...tools, pending, filler, done, results: [...tools.results, item] } });
}

/** A reply to later words, without text or tool calls yet. */
const isUnheard = (reply: Reply, call: Pending): boolean =>
  reply.kind === 'brain' &&
  reply.playing.phase === 'released' &&
  reply.id !== call.replyId &&
  !reply.calledTools &&
  reply.heldTools.length === 0 &&
  reply.utterances.length === 0;

/** After an interruption: the results of the reply's tools join the history but trigger no reply. */
export function quietTools(step: Step, replyId: number): Step {
  const { tools } = step.state;
  const pending = tools.pending.map((call) =>
    call.replyId === replyId && call.keys === null ? { ...call, quiet: true } : call,
  );
  return change(step, { tools: { ...tools, pending, filler: null } });
}

/** Deadline of a pending tool; a wait for keys starts at the agent's last word or the last key. */
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
    next = settle(next, call, false, result, at);
  }
  return next;
}

/** Ends a tool with a result from the conversation itself. */
function settle(step: Step, call: Pending, ok: boolean, result: unknown, at: number): Step {
  const { id, replyId } = call;
  return change(
    onToolResult(step, { id, replyId, result, at }),
    {},
    { type: 'tool_over', replyId, id, ok, result },
  );
}

/** The tool that waits for the caller's keys, if any. */
export const waitingForKeys = ({ tools }: TurnState): Pending | null =>
  tools.pending.find((call) => call.keys !== null && !call.quiet) ?? null;

/** Answers the tool that waits for keys. */
export function answerKeys(step: Step, call: Pending, at: number): Step {
  const { keypad } = step.state;
  if (keypad === null) return step;
  let next = change(sealTurn(step), { keypad: null, idle: { since: at, warned: false } });
  for (const line of callerLines({
    text: '',
    typed: false,
    keypad,
    startedAt: keypad.firstAt,
    lastSoundAt: keypad.lastAt,
  })) {
    next = change(next, {}, { type: 'transcribe', line });
  }
  next = change(next, { history: [...next.state.history, ...callerItems('', keypad)] });
  return settle(next, call, true, { digits: readableKeys(keypad), status: 'pressed' }, at);
}

/** The caller speaks instead of pressing keys: ends the wait for keys. */
export function endKeyWaits(step: Step, at: number): Step {
  const call = waitingForKeys(step.state);
  if (call === null) return step;
  const { tools } = step.state;
  const pending = tools.pending.map((other) => (other === call ? { ...call, quiet: true } : other));
  const quiet = change(step, { tools: { ...tools, pending } });
  const result = { digits: '', status: 'the caller spoke instead' };
  return settle(quiet, { ...call, quiet: true }, false, result, at);
}

/** Both are silent while a tool is pending. */
function isWaiting({ tools, reply, caller, keypad, held }: TurnState): boolean {
  if (held || reply !== null || keypad !== null || isTalking(caller) || caller.text !== '') return false;
  return owedUntil(caller.sound) === null && tools.pending.some((call) => !call.quiet && call.keys === null);
}

export const fillerDue = (state: TurnState): number | null =>
  isWaiting(state) ? (state.tools.filler?.at ?? null) : null;

export function sayFiller(step: Step, at: number): Step {
  const { tools } = step.state;
  return fillWith(change(step, { tools: { ...tools, filler: null } }), tools.filler?.text ?? '', at);
}

/** When a wait becomes dead air. */
export const deadAirDue = (state: TurnState): number | null =>
  isWaiting(state) ? state.idle.since + DEAD_AIR_MS : null;

export const breakDeadAir = (step: Step, at: number): Step => fillWith(step, momentNow(step.state), at);

const fillWith = (step: Step, text: string, at: number): Step =>
  say(change(step, { lastFiller: text }), text, at, { kind: 'phrase' });

/** When the model continues: all results are in and neither side speaks. */
export function followUpDue(state: TurnState): number | null {
  const { tools, caller, keypad, reply } = state;
  if (!tools.fresh || tools.pending.some((call) => !call.quiet) || reply !== null || keypad !== null)
    return null;
  return isTalking(caller) || caller.text !== '' || owedUntil(caller.sound) !== null ? null : 0;
}

export function followUp(step: Step, at: number): Step {
  const { tools } = step.state;
  if (tools.rounds >= MAX_ROUNDS) return failure(change(step, { tools: { ...tools, fresh: false } }), at);
  return generate(change(step, { tools: { ...tools, rounds: tools.rounds + 1 } }), at, {
    speculative: false,
  });
}
