import type { ReactNode } from 'react';
import type { Answer, Input } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { windowSentences } from './callee-clock.ts';
import { useSettled } from '../ui/use-settled.ts';
import { t } from '../words/words.ts';

type Preview = Answer<'previewCalls'>;
export type PreviewedContact = Preview['contacts'][number];

/** What the assistant would say to these people, and when; undefined until it is read. */
export function useCallPreview(
  agentId: string,
  contacts: Input<'previewCalls'>['contacts'],
): Preview | undefined {
  const settled = useSettled(contacts);
  const read = useRead(
    'previewCalls',
    { agent_id: agentId, contacts: settled },
    { keep: true, enabled: settled.length > 0 },
  );
  return read.data;
}

/** The time at the callee, and whether a call would leave now or wait. */
export function CalleeClock({ contact }: { contact: PreviewedContact | undefined }): ReactNode {
  if (contact?.calling_window == null) return null;
  const { clock, window } = windowSentences(contact.calling_window, Date.now());
  const isLate = contact.is_night && contact.calling_window.is_open;
  return (
    <span role="status">
      {clock}{' '}
      <span className={contact.calling_window.is_open && !isLate ? '' : 'text-warn'}>
        {window}
        {isLate ? ` ${t('It is before 08:00 or after 21:00 there.')}` : ''}
      </span>
    </span>
  );
}

/** The first words of a call; amber where values are missing. */
export function FirstWords({ contact }: { contact: PreviewedContact | undefined }): ReactNode {
  if (contact === undefined || contact.says === '') return null;
  const { missing } = contact;
  return (
    <div className="rounded-md border border-line bg-raised px-3 py-2">
      <p className="text-sm text-muted">{t('The assistant says first:')}</p>
      <p className="mt-0.5 wrap-anywhere">“{contact.says}”</p>
      {missing.length === 0 ? null : (
        <p className="mt-1 text-sm text-warn">
          {t('Without a value for {missing} it leaves those words out.', { missing: listed(missing) })}
        </p>
      )}
    </div>
  );
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
/** Names of variables in a sentence; the person's name has a field of its own. */
export const listed = (names: readonly string[]): string =>
  LIST.format(names.map((name) => (name === 'callee_name' ? 'the name of the person' : `“${name}”`)));
