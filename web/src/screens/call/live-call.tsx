import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { readEvents } from '../../api/server-events.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { ListenButton } from './listen-button.tsx';
import { liveLine, type LiveLine } from './live-events.ts';
import { TimeUsed } from './time-used.tsx';

const RECONNECT_MS = 5_000;
const NAMES = { agent: 'Assistant', caller: 'Person', note: '' } as const;

/** The words of a live call as they are spoken, and hanging up. */
export function LiveCall({ callId }: { callId: string }): ReactNode {
  const { lines, error, isEnded } = useLiveLines(callId);
  const hangUp = useChange('hangUpCall', ['getCall', 'listCalls'], () => 'The call is hung up.');
  const mayHangUp = useMay('manager');
  const [isAsked, setIsAsked] = useState(false);
  return (
    <section aria-label="Live call" className="rounded-lg border border-accent bg-surface p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-3">
          {isEnded ? <Badge tone="neutral">Ended</Badge> : <Badge tone="accent">Live</Badge>}
          {isEnded ? null : <TimeUsed callId={callId} />}
        </span>
        {mayHangUp && !isEnded ? (
          isAsked ? (
            <span className="flex flex-wrap items-center gap-2">
              End this call for the person?
              <CopyCurl operation="hangUpCall" input={{ call_id: callId }} />
              <Button onClick={() => setIsAsked(false)}>No</Button>
              <Button
                look="danger"
                busy={hangUp.isPending}
                onClick={() => hangUp.mutate({ call_id: callId })}
              >
                Hang up
              </Button>
            </span>
          ) : (
            <Button look="danger" onClick={() => setIsAsked(true)}>
              Hang up
            </Button>
          )
        ) : null}
      </div>
      {mayHangUp && !isEnded ? (
        <div className="mb-4">
          <ListenButton callId={callId} />
        </div>
      ) : null}
      {hangUp.isError ? <ErrorNote error={hangUp.error} /> : null}
      {error === null ? null : <ErrorNote error={error} />}
      <ol aria-live="polite" className="flex flex-col gap-2">
        {lines.map((line, index) => (
          // Lines are only ever added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="grid grid-cols-[5.5rem_1fr] gap-3">
            <span className={line.speaker === 'agent' ? 'text-accent' : 'text-good'}>
              {NAMES[line.speaker]}
            </span>
            <span className={line.speaker === 'note' ? 'text-muted' : ''}>{line.text}</span>
          </li>
        ))}
      </ol>
      {lines.length === 0 && error === null ? (
        <p className="text-muted">Waiting for the first words.</p>
      ) : null}
    </section>
  );
}

/** Reads the stream, which begins with what was said so far, and connects again when it breaks. */
function useLiveLines(callId: string): {
  lines: readonly LiveLine[];
  error: ApiFailure | null;
  isEnded: boolean;
} {
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isEnded, setIsEnded] = useState(false);
  const client = useQueryClient();
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = async (): Promise<void> => {
      try {
        await readStream(callId, leave.signal, setLines);
        setError(null);
        setIsEnded(true);
        await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes('getCall') });
      } catch (caught) {
        if (leave.signal.aborted) return;
        if (caught instanceof ApiFailure && caught.status > 0) {
          setError(caught);
          return;
        }
        timer = setTimeout(() => void connect(), RECONNECT_MS);
      }
    };
    void connect();
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [callId, client]);
  return { lines, error, isEnded };
}

async function readStream(
  callId: string,
  signal: AbortSignal,
  show: (lines: readonly LiveLine[]) => void,
): Promise<void> {
  const response = await call('watchCall', { call_id: callId }, signal);
  let lines: readonly LiveLine[] = [];
  await readEvents(response, (events) => {
    lines = [...lines, ...events.flatMap(({ data }) => liveLine(data) ?? [])];
    show(lines);
  });
}
