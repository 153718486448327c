import type { Answer } from '../../api/client.ts';

export type Entry = Answer<'replayCall'>['data']['time_line'][number];
export type Source = Entry['source'];

/** Who a line is about, with its colour in the list and in the lanes, which stand in this order. */
export const SOURCES: Readonly<
  Record<Source, { readonly name: string; readonly text: string; readonly fill: string }>
> = {
  caller: { name: 'Person', text: 'text-good', fill: 'fill-good' },
  agent: { name: 'Assistant', text: 'text-accent', fill: 'fill-accent' },
  model: { name: 'Model', text: 'text-warn', fill: 'fill-warn' },
  tool: { name: 'Tool', text: 'text-bad', fill: 'fill-bad' },
  call: { name: 'Call', text: 'text-muted', fill: 'fill-muted' },
};

/** The last line at or before a second, by bisection; -1: none. */
export function entryAt(entries: readonly Pick<Entry, 'seconds'>[], second: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seconds ?? Infinity) <= second) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
