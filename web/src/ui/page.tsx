import { useContext, type ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { adviceFor } from './advice.ts';
import type { IconName } from './icon-shapes.ts';
import { Icon } from './icon.tsx';
import { useShowsRequests } from './developer.ts';
import { plainMessage } from './plain-message.ts';
import { Button, CopyButton } from './controls.tsx';
import { Viewer } from './viewer.ts';
import { t } from '../words/words.ts';
import { rich } from '../words/rich.ts';

export { Loading } from './loading.tsx';

/** A screen: its title, what it is for, and its actions. */
export function Page({
  title,
  tabTitle = title,
  intro,
  actions,
  isWide = false,
  isViewOnly = false,
  children,
}: {
  title: string;
  /** In the tab of the browser, where it says more. */
  tabTitle?: string;
  intro?: ReactNode;
  actions?: ReactNode;
  /** For a table of many columns: it takes the width of a large window. */
  isWide?: boolean;
  /** The reader changes nothing here, though they may elsewhere. */
  isViewOnly?: boolean;
  children: ReactNode;
}): ReactNode {
  const isViewer = useContext(Viewer);
  return (
    <div
      className={`mx-auto flex w-full ${isWide ? 'max-w-wide' : 'max-w-page'} flex-col gap-4 px-4 py-5 sm:px-7`}
    >
      <title>{`${tabTitle} · Callwright`}</title>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {isViewer || isViewOnly ? <Badge>{t('View only')}</Badge> : null}
          </div>
          {intro === undefined ? null : <div className="mt-1 max-w-3xl text-pretty text-muted">{intro}</div>}
        </div>
        {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** `aside`: at the right of the title; `isFlush`: what it holds reaches its edges, such as a table. */
export function Card({
  title,
  aside,
  isFlush = false,
  children,
}: {
  title?: string;
  aside?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={`rounded-lg border border-line bg-surface ${isFlush ? 'overflow-clip pt-4' : 'p-4'}`}>
      {title === undefined ? null : (
        <div className={`mb-3 flex items-center justify-between gap-3 ${isFlush ? 'px-4' : ''}`}>
          <h2 className="text-sm font-semibold">{t(title)}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A list, and the form that adds to it: beside it in a wide window, else before it. */
export const ListWithForm = ({ form, children }: { form: ReactNode; children: ReactNode }): ReactNode =>
  form === null ? (
    children
  ) : (
    <div className="grid items-start gap-4 min-[88rem]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="min-w-0 min-[88rem]:order-last">{form}</div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </div>
  );

/** What an empty list is for, with one action and the request that does the same. */
export function EmptyState({
  title,
  icon,
  children,
  action,
  curl,
}: {
  title: string;
  /** Of the screen, as the navigation shows it. */
  icon?: IconName;
  children: ReactNode;
  action?: ReactNode;
  curl?: ReactNode;
}): ReactNode {
  return (
    <div className="flex flex-col items-center gap-3 rounded-lg border border-dashed border-line px-6 py-12 text-center">
      {icon === undefined ? null : (
        <span className="flex size-10 items-center justify-center rounded-md bg-accent-tint text-accent">
          <Icon name={icon} isLarge />
        </span>
      )}
      <h2 className="text-base font-semibold">{t(title)}</h2>
      <div className="max-w-prose text-pretty text-muted">{children}</div>
      {action === undefined && curl === undefined ? null : (
        <div className="mt-1 flex flex-wrap justify-center gap-2">
          {action}
          {curl}
        </div>
      )}
    </div>
  );
}

/** A failure: what happened, what to do, and the request id for support. */
export function ErrorNote({ error, retry }: { error: ApiFailure | Error; retry?: () => void }): ReactNode {
  const isRaw = useShowsRequests();
  // A refusal is the reader's to mend; the id of a failure is for those who read the service's log.
  const isOwn = 'status' in error && error.status < 500;
  const requestId = 'requestId' in error && (isRaw || !isOwn) ? error.requestId : null;
  const advice = 'status' in error ? adviceFor(error.status, error.code) : null;
  return (
    <div role="alert" className="rounded-md border border-bad bg-bad-tint px-4 py-3">
      <p className="font-medium wrap-anywhere text-bad">
        {isRaw ? error.message : plainMessage(error.message)}
      </p>
      {advice === null ? null : <p className="mt-1 text-sm">{advice}</p>}
      {retry === undefined && requestId === null ? null : (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
          {retry === undefined ? null : <Button onClick={retry}>{t('Try again')}</Button>}
          {requestId === null ? null : (
            <span className="flex flex-wrap items-center gap-2 text-sm text-muted">
              <span>
                {rich('Request {requestId}', {
                  requestId: <code className="font-mono wrap-anywhere">{requestId}</code>,
                })}
              </span>
              <CopyButton text={requestId} name={t('Copy the request id')} />
            </span>
          )}
        </div>
      )}
    </div>
  );
}

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';
const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-neutral-tint text-muted',
  good: 'bg-good-tint text-good',
  warn: 'bg-warn-tint text-warn',
  bad: 'bg-bad-tint text-bad',
  accent: 'bg-accent-tint text-accent',
};
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }): ReactNode {
  return (
    <span
      className={`inline-flex items-center rounded-sm px-2 text-xs leading-5 whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** Names and values, in two columns. `isWide`: two pairs a line in a wide window. */
export function Facts({
  rows,
  isWide = false,
}: {
  rows: readonly (readonly [name: string, value: ReactNode])[];
  isWide?: boolean;
}): ReactNode {
  return (
    <dl
      className={`grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-baseline gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr] sm:gap-x-6 ${isWide ? 'lg:grid-cols-[auto_1fr_auto_1fr]' : ''}`}
    >
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="wrap-anywhere text-muted">{t(name)}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
