import { useState } from 'react';
import { call as send, type Answer, type ApiFailure, type Input } from '../../api/client.ts';
import { readAgain, useReads } from '../../api/queries.ts';
import { callName } from '../../parts/call-name.ts';
import { notify } from '../../ui/toasts.ts';
import { t } from '../../words/words.ts';
import type { PersonResult } from './person-results.ts';
import { withoutDone } from './without-done.ts';

export type Call = Answer<'listCalls'>['calls'][number];

/** The calls with one result whose people still need somebody, the latest ones, and how many there are. */
interface OpenCalls extends PersonResult {
  readonly calls: readonly Call[];
  readonly total: number;
}

export interface OpenPeople {
  /** Undefined: not read yet. */
  readonly groups: readonly OpenCalls[] | undefined;
  readonly count: number;
  /** Why the lists could not be read. */
  readonly error: ApiFailure | null;
  /** Why the last call could not be marked. */
  readonly failure: ApiFailure | null;
  /** Marks a call as done. It leaves the list at once, and returns if the service refuses. */
  readonly finish: (call: Call) => void;
}

const AFFECTED = ['listCalls', 'getCall'] as const;

/** Marks a call as done, or takes the mark away. */
const setDone = (callId: string, done: boolean): Promise<unknown> =>
  send('markFollowUp', { call_id: callId, done });

/** The people whose calls have one of these results and that nobody has marked as done. */
export function useOpenPeople(
  results: readonly PersonResult[],
  filter: Pick<Input<'listCalls'>, 'bulk_list_id' | 'start_date' | 'limit'>,
): OpenPeople {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const reads = useReads(
    'listCalls',
    results.map(({ result }) => ({ ...filter, result, followed_up: false })),
  );
  const finish = (call: Call): void => {
    const { call_id: id } = call;
    setFailure(null);
    setLeaving((before) => new Set([...before, id]));
    setDone(id, true)
      .then(() => {
        notify({
          text: t('{who} is marked as done.', { who: callName(call) }),
          undo: () => setDone(id, false).finally(() => void readAgain(AFFECTED)),
        });
        return readAgain(AFFECTED);
      })
      .catch((error: ApiFailure) => setFailure(error))
      .finally(() => setLeaving((before) => new Set([...before].filter((each) => each !== id))));
  };
  const groups = reads.flatMap(({ data }, at) => {
    const of = results[at];
    return data === undefined || of === undefined ? [] : [{ ...of, ...withoutDone(data, leaving) }];
  });
  return {
    groups: groups.length === results.length ? groups : undefined,
    count: groups.reduce((sum, { total }) => sum + total, 0),
    error: reads.find(({ error }) => error !== null)?.error ?? null,
    failure,
    finish,
  };
}
