import type { ReactNode } from 'react';
import { call as send } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { personResults } from '../needs-person/person-results.ts';
import { callTitle } from './call-head.tsx';
import type { Call } from './types.ts';

/** Who marked a call as done, with "Undo"; before that, on a call whose person asked for a person, the button "Done". */
export function FollowUp({ call }: { call: Call }): ReactNode {
  const { call_id: callId, follow_up: mark, result, result_source: source } = call;
  const mayMark = useMay('manager');
  const set = useChange('markFollowUp', ['getCall', 'listCalls'], ({ done }) =>
    done
      ? {
          text: t('{who} is marked as done.', { who: callTitle(call) }),
          undo: () => send('markFollowUp', { call_id: callId, done: false }),
        }
      : t('{who} is no longer marked as done.', { who: callTitle(call) }),
  );
  const needsPerson = result !== null && source !== null && personResults([{ result, source }]).length > 0;
  if (mark === null && !needsPerson) return null;
  return (
    <section aria-label={t('Needs a person')} className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-3">
        <span className={mark === null ? 'font-medium' : 'text-muted'}>
          {mark === null
            ? t('They asked the assistant for a person.')
            : rich('Done by {who}, {time}', { who: mark.done_by, time: <Time iso={mark.done_at} isBrief /> })}
        </span>
        {mayMark ? (
          <Button busy={set.isPending} onClick={() => set.mutate({ call_id: callId, done: mark === null })}>
            {mark === null ? t('Done') : t('Undo')}
          </Button>
        ) : null}
      </p>
      {set.isError ? <ErrorNote error={set.error} /> : null}
    </section>
  );
}
