import { useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import type { Campaign } from './types.ts';

export type Row = Answer<'listCalls'>['calls'][number];
/** Rows of the list that are looked at, of which `SHOWN` are shown. */
const LOOKED_AT = 10;
const SHOWN = 3;
/** The database skips the rows before these one by one. */
const DEEPEST = 10_000;

export interface SampledRows {
  /** In random order, the first `SHOWN` to show. */
  readonly rows: readonly Row[];
  readonly shown: readonly Row[];
  readonly isPending: boolean;
  readonly again: () => void;
}

/** Some rows of the list, from a random place. */
export function useSampledRows({ id, registered_count: waiting }: Campaign): SampledRows {
  const [luck, setLuck] = useState(Math.random);
  const offset = Math.floor(luck * Math.max(0, Math.min(waiting, DEEPEST) - LOOKED_AT + 1));
  const read = useRead(
    'listCalls',
    { bulk_list_id: id, status: 'registered', limit: LOOKED_AT, offset },
    { keep: true },
  );
  const rows = turned(read.data?.calls ?? [], Math.floor(luck * 997));
  return {
    rows,
    shown: rows.slice(0, SHOWN),
    isPending: read.isPending,
    again: () => setLuck(Math.random()),
  };
}

/** Begins the list at another of its items. */
const turned = <T>(items: readonly T[], by: number): T[] => {
  const from = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
};
