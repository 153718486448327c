import type { HistoryItem } from '../ports.ts';
import { dropReply } from './closing.ts';
import { acceptReply, failure, generate } from './reply.ts';
import { change, changeReply, isTalking, type Step, type TurnState } from './state.ts';
import { sealTurn } from './transcript.ts';

/** A tool that has not answered by then has failed; a brain that calls tools for ever is stopped. */
const TOOL_TIMEOUT_MS = 12_000;
const MOST_ROUNDS = 6;

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
    const { tools } = next.state;
    const pending = [
      ...tools.pending,
      { id, name, until: at + TOOL_TIMEOUT_MS, replyId: reply.id, quiet: false },
    ];
    next = change(next, { tools: { ...tools, pending } }, call);
  }
  return acceptReply(next);
}

/** A result joins the history after the reply that asked for it. */
export function onToolResult(step: Step, id: string, result: unknown): Step {
  const { tools, reply, history } = step.state;
  const asked = tools.pending.find((call) => call.id === id);
  if (asked === undefined) return step;
  const pending = tools.pending.filter((call) => call !== asked);
  const item: HistoryItem = { role: 'tool', name: asked.name, result };
  if (reply === null || reply.phase === 'prepared') {
    // A reply prepared without the result is out of date.
    const known = {
      history: [...history, item],
      tools: { ...tools, pending, fresh: tools.fresh || !asked.quiet },
    };
    return change(dropReply(step), known);
  }
  return change(step, { tools: { ...tools, pending, results: [...tools.results, item] } });
}

export function toolTimeoutDue(state: TurnState): number | null {
  const untils = state.tools.pending.map((call) => call.until);
  return untils.length === 0 ? null : Math.min(...untils);
}

export function timeOutTools(step: Step, at: number): Step {
  let next = step;
  for (const call of step.state.tools.pending) {
    if (call.until <= at) next = onToolResult(next, call.id, { error: 'timeout' });
  }
  return next;
}

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
