import { useState, type ReactNode } from 'react';
import { call as request } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { callName, personNumber } from '../../parts/call-name.ts';
import { useMay } from '../../session/session.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/controls.tsx';
import { formatSeconds } from '../../ui/format.tsx';
import { CallDialogLoader as CallDialog } from '../agent/call-dialog-loader.tsx';
import { failureText } from './failure-text.ts';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

/** The number that may be called again or never; empty: a call of a browser has none, and an erased one only a mask. */
const reachable = (call: Call): string => (call.erased_at === null ? personNumber(call) : '');

/** The call from or to a number. */
function route(call: Call): string {
  const { call_type: type, from_number: from, to_number: to } = call;
  if (to === '' || from === '') return callName({ ...call, callee_name: '', to_number: '' });
  return type === 'inbound'
    ? t('Call from {number}', { number: from })
    : t('Call to {number}', { number: to });
}

/** The name of the person, where it is known. */
export const callTitle = (call: Call): string => (call.callee_name === '' ? route(call) : call.callee_name);

/** The head of a call: its person, result, length and time. */
export const CallSummary = ({ call }: { call: Call }): ReactNode => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <CallResult call={call} />
    {call.failure === null ? null : <span className="text-ink">{failureText(call.failure)}</span>}
    {call.callee_name === '' ? null : <span>{route(call)}</span>}
    {call.call_duration === null ? null : (
      <span className="tabular-nums">{formatSeconds(call.call_duration)}</span>
    )}
    <Ago iso={call.last_dialed_at ?? call.initiation_time} />
  </span>
);

/** Calls the person of an ended call with the same assistant and values; for managers. */
export function CallAgain({ call }: { call: Call }): ReactNode {
  const mayCall = useMay('manager');
  const [isOpen, setIsOpen] = useState(false);
  const number = reachable(call);
  if (!mayCall || number === '' || call.ended_at === null || call.agent_name === null) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('Call again')}</Button>
      {isOpen ? (
        <CallDialog
          agentId={call.agent_id}
          begin={{
            ...textsOf(call.custom_args_values),
            callee_name: call.callee_name,
            mobile_number: number,
          }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}

/** Puts the person of a call on the do-not-call list; for managers. */
export function BlockNumber({ call, onDone }: { call: Call; onDone: () => void }): ReactNode {
  const mayBlock = useMay('manager');
  const number = reachable(call);
  const add = useChange(
    'addDoNotCall',
    ['listDoNotCall', 'listCalls'],
    (input, { cancelled_count: cancelled }) => ({
      text: t('{number} is never called again.', { number }),
      // Calls that waited stay cancelled.
      undo: cancelled === 0 ? () => request('removeDoNotCall', input) : undefined,
    }),
  );
  if (!mayBlock || number === '') return null;
  return (
    <Button
      busy={add.isPending}
      onClick={() => add.mutate({ mobile_numbers: [number] }, { onSuccess: onDone })}
    >
      {t('Add to do not call')}
    </Button>
  );
}

const textsOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
