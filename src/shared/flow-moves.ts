/** Why a conversation left a node of a flow. */
export interface FlowMove {
  readonly from: string;
  readonly to: string;
  /** The condition of the edge, `default`, `global`, `back` or `stuck`. */
  readonly by: string;
}

/** A move as event logs keep it: `day → done (default)`. */
export const moveText = ({ from, to, by }: FlowMove): string => `${from} → ${to} (${by})`;

/** The move that such a text describes; null: none. */
export function readMove(text: string): FlowMove | null {
  const [, from, to, by] = /^([^ ]+) → ([^ ]+) \((.*)\)$/s.exec(text) ?? [];
  return from === undefined || to === undefined || by === undefined ? null : { from, to, by };
}
