import type { Answer } from '../../api/client.ts';
import { edgesIn, stepsIn, type Edge, type FlowDocument } from './flow-document.ts';

/** A move of a conversation through the flow. */
export interface Move {
  readonly from: string;
  readonly to: string;
  /** The condition of the edge, `default`, `global`, `back` or `stuck`. */
  readonly by: string;
}
export type Counts = Pick<Answer<'getFlowCounts'>, 'calls' | 'edges' | 'ends'>;

/** What the outline and the graph show of conversations: the step that one has reached, and how often calls went where. */
export interface Trace {
  readonly lit: string | null;
  readonly counts: Counts | null;
}
export const NO_TRACE: Trace = { lit: null, counts: null };

/** Why a conversation takes the edge, as moves name it. */
const reasonOf = (edge: Edge): string => {
  const conditions = [edge['if'], edge['answer'], edge['on'], edge['when']];
  return conditions.find((condition) => typeof condition === 'string') ?? 'default';
};

/** How often calls took the edge. */
export const countOf = ({ edges }: Counts, from: string, edge: Edge): number =>
  edges
    .filter((move) => move.from === from && move.to === edge.to && move.by === reasonOf(edge))
    .reduce((sum, { count }) => sum + count, 0);

/** How often calls ended at the step. */
export const endsAt = ({ ends }: Counts, id: string): number =>
  ends.find(({ node }) => node === id)?.count ?? 0;

/** The step of the flow that a conversation has reached after these moves: those of another agent's flow lead nowhere. */
export function reached(flow: FlowDocument, moves: readonly Move[]): string | null {
  const ids = new Set(stepsIn(flow).map(({ id }) => id));
  const last = moves.findLast(({ to }) => ids.has(to))?.to ?? flow.start;
  return ids.has(last) ? last : null;
}

/** The moves among the events of a live call, in order. */
export const movesIn = (events: readonly unknown[]): Move[] =>
  events.flatMap((event) => {
    const { type, from, to, by } = event as Readonly<Record<string, unknown>>;
    const isMove = type === 'moved' && [from, to, by].every((part) => typeof part === 'string');
    return isMove ? [{ from, to, by } as Move] : [];
  });

/** The edge of the flow that a move took, in words; null: it took none of them. */
export function edgeOf(
  flow: FlowDocument,
  move: Move,
): { readonly step: number; readonly edge: number } | null {
  for (const [step, each] of stepsIn(flow).entries()) {
    if (each.id !== move.from) continue;
    const edge = edgesIn(each).findIndex((one) => one.to === move.to && reasonOf(one) === move.by);
    if (edge !== -1) return { step, edge };
  }
  return null;
}
