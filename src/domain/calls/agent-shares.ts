import type { HandedOver, VendorUse } from '../../voice/measures.ts';
import type { AgentShare } from '../../store/json/call-record.ts';

/** Splits a whole number by weights of at least 0. The parts sum to it exactly, and each is within 1 of its exact share. */
export function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight, at) => {
    passed += weight;
    const isAll = sum === 0 || at === weights.length - 1;
    const until = isAll ? total : Math.round(total * (passed / sum));
    const part = until - given;
    given = until;
    return part;
  });
}

interface Held {
  readonly agentId: string;
  /** Of the call, whose agent speaks until the first handover. */
  readonly handovers: readonly HandedOver[];
  /** Null: it was not answered. */
  readonly answeredAt: Date | null;
  /** Epoch ms. */
  readonly endedAt: number;
  /** Micro-credits for the talk, and for the legs of warm transfers. */
  readonly charge: number;
  readonly transferCharge: number;
}

/**
 * Time and cost of each agent of an attempt, in the order in which they had the call. Talk is paid by time; the legs of
 * transfers belong to the agent that had the call last. Null: one agent had it alone.
 */
export function sharesOf({
  agentId,
  handovers,
  answeredAt,
  charge,
  transferCharge,
  ...held
}: Held): AgentShare[] | null {
  if (answeredAt === null || handovers.length === 0) return null;
  const from = answeredAt.getTime();
  const endedAt = Math.max(held.endedAt, from);
  const starts = [
    { agentId, agentName: null, at: from },
    ...handovers.map(({ agent, at }) => ({
      agentId: agent.id,
      agentName: agent.id === agentId ? null : agent.name,
      at: Math.min(Math.max(at, from), endedAt),
    })),
  ];
  const shares = new Map<string, Omit<AgentShare, 'cost'>>();
  starts.forEach((start, index) => {
    const { agentId: id, agentName } = start;
    const until = starts[index + 1]?.at ?? endedAt;
    const heldMs = (shares.get(id)?.heldMs ?? 0) + Math.max(0, until - start.at);
    shares.set(id, { agentId: id, agentName, heldMs });
  });
  const all = [...shares.values()];
  const costs = apportion(
    charge,
    all.map(({ heldMs }) => heldMs),
  );
  const last = starts.at(-1)?.agentId;
  return all.map((share, index) => ({
    ...share,
    cost: costs[index]! + (share.agentId === last ? transferCharge : 0),
  }));
}

/** An agent of a call, with its time, its part of the call's cost and what it used. */
export interface CallAgent extends AgentShare {
  readonly usage: readonly VendorUse[];
}

/** The agents of a call. What no agent is known for, such as earlier attempts, is the first agent's. */
export function agentsOf(
  call: Omit<AgentShare, 'heldMs'> & { readonly durationMs: number | null },
  shares: readonly AgentShare[],
  usage: readonly VendorUse[],
): CallAgent[] {
  const { agentId, agentName, cost, durationMs } = call;
  const rest = cost - shares.reduce((sum, share) => sum + share.cost, 0);
  const known = shares.some((share) => share.agentId === agentId)
    ? shares
    : [{ agentId, agentName, heldMs: durationMs ?? 0, cost: 0 }, ...shares];
  return known.map((share) => ({
    ...share,
    agentName: share.agentName ?? agentName,
    cost: share.cost + (share.agentId === agentId ? rest : 0),
    usage: byModel(usage.filter(({ agent }) => (agent?.id ?? agentId) === share.agentId)),
  }));
}

/** Sums by part and model. */
export function byModel(usage: readonly VendorUse[]): VendorUse[] {
  const sums: VendorUse[] = [];
  for (const { agent: _agent, ...use } of usage) {
    const { part, vendor, model } = use;
    const at = sums.findIndex((sum) => sum.part === part && sum.vendor === vendor && sum.model === model);
    const before = sums[at];
    if (before === undefined) sums.push(use);
    else
      sums[at] = {
        ...before,
        audioMs: before.audioMs + use.audioMs,
        inputTokens: before.inputTokens + use.inputTokens,
        cachedTokens: before.cachedTokens + use.cachedTokens,
        outputTokens: before.outputTokens + use.outputTokens,
        characters: before.characters + use.characters,
      };
  }
  return sums;
}
