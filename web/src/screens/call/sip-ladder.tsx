import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import type { Call } from './types.ts';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Step = Call['attempts'][number]['sip_messages'][number];

const toneOf = (message: string): string => {
  const status = Number.parseInt(message, 10);
  if (status >= 400) return 'text-bad';
  return status >= 200 ? 'text-good' : 'text-ink';
};

/** The SIP messages between this service and the far side, with the time of each since the first. */
export function SipLadder({ call }: { call: Call }): ReactNode {
  const attempts = call.attempts.filter(({ sip_messages: steps }) => steps.length > 0);
  if (attempts.length === 0) return null;
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('SIP messages')}</h2>
      <div className="flex flex-col gap-3">
        {attempts.map((attempt, index) => (
          <details
            key={attempt.attempt_number}
            open={index === attempts.length - 1}
            className="rounded-lg border border-line bg-surface p-4"
          >
            <summary className="cursor-pointer font-medium">
              {rich('Attempt {attemptNumber} {sipCallId}', {
                attemptNumber: attempt.attempt_number,
                sipCallId: (
                  <span className="font-mono text-sm font-normal wrap-anywhere text-muted">
                    {attempt.sip_call_id}
                  </span>
                ),
              })}
            </summary>
            {index === attempts.length - 1 ? <AudioOf call={call} /> : null}
            <Steps steps={attempt.sip_messages} />
          </details>
        ))}
      </div>
    </section>
  );
}

/** Codec and quality of the audio that the messages agreed on. */
function AudioOf({ call: { network } }: { call: Call }): ReactNode {
  if (network === null) return null;
  const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(value)} ms`);
  const facts = [
    ['Codec', network.codec],
    ['Lost', formatShare(network.loss_percent / 100)],
    ['Jitter', ms(network.jitter_ms)],
    ['Round trip', ms(network.round_trip_ms)],
  ] as const;
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{t(name)}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Steps({ steps }: { steps: readonly Step[] }): ReactNode {
  const start = Date.parse(steps[0]?.at ?? '');
  return (
    <>
      <p aria-hidden="true" className="mt-4 grid grid-cols-[5rem_1fr] gap-3 text-sm text-muted">
        <span className="text-right">{t('Seconds')}</span>
        <span className="flex max-w-xl justify-between">
          <span>Callwright</span>
          <span>{t('Far side')}</span>
        </span>
      </p>
      <ol className="mt-2 flex flex-col gap-1.5 text-sm">
        {steps.map((step, index) => (
          // The messages of an ended attempt never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="grid grid-cols-[5rem_1fr] gap-3">
            <span className="text-right text-muted tabular-nums">
              {formatNumber((Date.parse(step.at) - start) / 1000)}
            </span>
            <span className="max-w-xl">
              <span className="flex items-center gap-2">
                <Arrow isShown={step.direction === 'in'}>◀</Arrow>
                <span className={`font-mono ${toneOf(step.message)}`}>
                  <span className="sr-only">
                    {step.direction === 'in' ? `${t('Received:')} ` : `${t('Sent:')} `}
                  </span>
                  {step.message}
                </span>
                <Arrow isShown={step.direction === 'out'}>▶</Arrow>
              </span>
              {step.note === '' ? null : (
                <span className="block text-center wrap-anywhere text-muted">{step.note}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Arrow({ isShown, children }: { isShown: boolean; children: ReactNode }): ReactNode {
  return (
    <span aria-hidden="true" className="flex grow items-center text-muted">
      {isShown && children === '◀' ? '◀' : null}
      <span className="grow border-t border-line" />
      {isShown && children === '▶' ? '▶' : null}
    </span>
  );
}
