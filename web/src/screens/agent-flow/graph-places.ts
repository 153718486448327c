import type { Point } from './graph-layout.ts';

/** Where someone dragged the steps of an assistant's flow to, by step; other steps stand where the layout puts them. */
export type GraphPlaces = Readonly<Record<string, Point>>;

const keyOf = (agentId: string): string => `graph ${agentId}`;

const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' &&
  value !== null &&
  'x' in value &&
  'y' in value &&
  Number.isFinite(value.x) &&
  Number.isFinite(value.y);

export function readPlaces(shelf: Pick<Storage, 'getItem'>, agentId: string): GraphPlaces {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(keyOf(agentId)) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, point]) => isPoint(point)));
  } catch {
    return {};
  }
}

/** A full or forbidden storage keeps none. */
export function writePlaces(
  shelf: Pick<Storage, 'setItem' | 'removeItem'>,
  agentId: string,
  places: GraphPlaces,
): void {
  try {
    if (Object.keys(places).length === 0) shelf.removeItem(keyOf(agentId));
    else shelf.setItem(keyOf(agentId), JSON.stringify(places));
  } catch {
    // The places last as long as the page.
  }
}
