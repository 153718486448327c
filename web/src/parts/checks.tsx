import type { ReactNode } from 'react';
import { Badge } from '../ui/page.tsx';
import { t } from '../words/words.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string | null;
}

/** Names of checks that read badly with their state before them. */
const TITLES: Readonly<Record<string, string>> = {
  sip: 'SIP',
  'not draining': 'Takes new calls',
  outcomes: 'Outcomes of calls are stored',
};

/** What to do when a readiness check fails or has a note, by its name. */
const FIXES: Readonly<Record<string, string>> = {
  database: 'Start PostgreSQL, or correct its address in the settings, then reload this page.',
  sip: 'Another program may hold the SIP port: set a free one and restart.',
  trunks: 'Check the address, account and password of the trunk in the provision file, and the firewall.',
  vendors:
    'Check the keys and credit of the vendors. Calls go on with the next vendor of the list, or on this machine.',
  webhooks: 'Read the failed deliveries on the screen Webhooks, and mend the receiver.',
  outcomes: 'The database does not accept writes: check its disk and connections.',
  'call workers': 'A worker is restarting. If this stays, read the log of the process.',
  voices:
    'Run callwright doctor as the user of the service. Calls start again by themselves when the voices work.',
  recogniser: 'Run callwright doctor as the user of the service, or set a vendor for recognition.',
  recognisers:
    'Run callwright doctor, which speaks to each recogniser and reads its words back. Until it is mended, calls are heard by the next recogniser, or by this machine.',
  recordings: 'Free space on the disk of recordings, or set an S3 store.',
  'not draining': 'The process is stopping and takes no new calls.',
  calls: 'The process is overloaded or hangs: restart it if this stays.',
  readiness: 'The process is overloaded: reload in a moment, then read its log.',
};

/** Readiness checks, each with its state, cause and fix. */
export function Checks({ checks }: { checks: readonly Check[] }): ReactNode {
  return (
    <ul className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2 lg:grid-cols-3">
      {checks.map(({ name, ok, detail }) => (
        <li
          key={name}
          className={`flex items-baseline gap-x-3 gap-y-1 ${ok && detail === null ? '' : 'col-span-full flex-wrap'}`}
        >
          {ok ? (
            detail === null ? (
              <Badge tone="good">OK</Badge>
            ) : (
              <Badge tone="warn">{t('Note')}</Badge>
            )
          ) : (
            <Badge tone="bad">{t('Failed')}</Badge>
          )}
          <span className="font-medium">
            {t(TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1))}
          </span>
          {detail === null ? null : <span className="wrap-anywhere">{detail}</span>}
          {ok && detail === null ? null : (
            <span className="basis-full text-sm text-muted">
              {t(FIXES[name] ?? 'Read the log of the process.')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
