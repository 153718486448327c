import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { spokenText } from '../../parts/spoken-text.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { ControlBar, TransferBar } from './control-bar.tsx';
import { GuestBar } from './guest-bar.tsx';
import { HoldButton } from './hold-button.tsx';
import { ListenButton } from './listen-button.tsx';
import { TimeUsed } from './time-used.tsx';
import { useLiveLines } from './use-live-lines.ts';
import { t } from '../../words/words.ts';

const NAMES = { agent: 'Assistant', caller: 'Person', note: '' } as const;

/** The words of a live call as they are spoken, and hanging up. */
export function LiveCall({ callId }: { callId: string }): ReactNode {
  const { lines, open, error, isEnded, isSlow, isTaken, hasGuest, isOnHold } = useLiveLines(callId);
  const hangUp = useChange('hangUpCall', ['getCall', 'listCalls'], () => t('The call is hung up.'));
  const mayHangUp = useMay('manager');
  const [isTalking, setIsTalking] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <section aria-label={t('Live call')} className="rounded-lg border border-accent bg-surface p-4">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-3">
          {isEnded ? <Badge tone="neutral">{t('Ended')}</Badge> : <Badge tone="accent">{t('Live')}</Badge>}
          {isEnded ? null : <TimeUsed callId={callId} />}
        </span>
        {mayHangUp && !isEnded ? (
          isAsked ? (
            <span className="flex flex-wrap items-center gap-2">
              {t('End this call for the person?')}
              <CopyCurl operation="hangUpCall" input={{ call_id: callId }} />
              <Button onClick={() => setIsAsked(false)}>{t('No')}</Button>
              <Button
                look="danger"
                busy={hangUp.isPending}
                onClick={() => hangUp.mutate({ call_id: callId })}
              >
                {t('Hang up')}
              </Button>
            </span>
          ) : (
            <Button look="danger" onClick={() => setIsAsked(true)}>
              {t('Hang up')}
            </Button>
          )
        ) : null}
      </div>
      {mayHangUp && !isEnded ? (
        <div className="mb-4 flex flex-col gap-4">
          <ListenButton callId={callId} isTalking={isTalking} onTalking={setIsTalking} />
          <HoldButton callId={callId} isOnHold={isOnHold} />
          <ControlBar callId={callId} isTaken={isTaken} mayReturn={isTaken && !isTalking} />
          <GuestBar callId={callId} hasGuest={hasGuest} />
          <TransferBar callId={callId} />
        </div>
      ) : null}
      {hangUp.isError ? <ErrorNote error={hangUp.error} /> : null}
      {error === null ? null : <ErrorNote error={error} />}
      <ol aria-live="polite" className="flex flex-col gap-2">
        {lines.map((line, index) => (
          // Lines are only ever added at the end.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="grid grid-cols-[5.5rem_1fr] gap-3">
            <span className={`wrap-anywhere ${line.speaker === 'agent' ? 'text-accent' : 'text-good'}`}>
              {line.author ?? t(NAMES[line.speaker])}
            </span>
            <span className={line.speaker === 'note' ? 'text-muted' : ''}>{spokenText(line.text)}</span>
          </li>
        ))}
      </ol>
      {open === null ? null : (
        // Screen readers get the line when it is whole.
        <p aria-hidden="true" className="mt-2 grid grid-cols-[5.5rem_1fr] gap-3 text-muted">
          <span>{t(NAMES[open.speaker])}</span>
          <span>{open.text}</span>
        </p>
      )}
      {lines.length === 0 && open === null && error === null ? (
        <p className="text-muted">
          {isSlow
            ? t(
                'Waiting for a connection. A browser opens six of them to a service: close other windows of this dashboard, or ask its operator for HTTP/2.',
              )
            : t('Waiting for the first words.')}
        </p>
      ) : null}
    </section>
  );
}
