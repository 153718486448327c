/** Why a conversation left a node of a flow. */
export interface FlowMove {
  readonly from: string;
  readonly to: string;
  /** The condition of the edge, `default`, `global`, `task`, `back` or `stuck`. */
  readonly by: string;
  /** How alike the meanings of the caller's words and of `by` were, at most 1. Absent: no model of meanings decided. */
  readonly alike?: number;
}

/** A move as event logs keep it: `day → done (default)`, `help → book (wants to book) by meaning 0.71`. */
export const moveText = ({ from, to, by, alike }: FlowMove): string =>
  `${from} → ${to} (${by})${alike === undefined ? '' : ` by meaning ${alike.toFixed(2)}`}`;

/** The move that such a text describes; null: none. */
export function readMove(text: string): FlowMove | null {
  const [, from, to, by, alike] =
    /^([^ ]+) → ([^ ]+) \((.*)\)(?: by meaning ([01]\.\d\d))?$/s.exec(text) ?? [];
  if (from === undefined || to === undefined || by === undefined) return null;
  return { from, to, by, ...(alike === undefined ? {} : { alike: Number(alike) }) };
}
