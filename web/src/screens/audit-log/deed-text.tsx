import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { deedOf, namedObject, shortId, type Named } from './deed.ts';
import { DEEDS } from './deeds.ts';
import { OBJECT_NAMES } from './object-names.ts';

type Page = Answer<'listAuditLog'>;
type Entry = Page['entries'][number];
type Names = Page['names'];

const LINK = 'text-accent underline';

/** An object by its name, else by the end of its id; a call, chat, assistant or campaign leads to its page. */
function Thing({ kind, id, names }: { kind: Named['kind'] | null; id: string; names: Names }): ReactNode {
  const name = names[id] ?? shortId(id);
  const link = { title: id, className: LINK, children: name };
  if (kind === 'call') return <Link to="/calls/$callId" params={{ callId: id }} {...link} />;
  if (kind === 'chat') return <Link to="/chats/$chatId" params={{ chatId: id }} {...link} />;
  if (kind === 'agent') return <Link to="/agents/$agentId" params={{ agentId: id }} {...link} />;
  if (kind === 'campaign') return <Link to="/campaigns/$campaignId" params={{ campaignId: id }} {...link} />;
  return <span title={id}>{name}</span>;
}

/** What somebody did to what, in a sentence. */
export function DeedText({ entry, names }: { entry: Entry; names: Names }): ReactNode {
  const named = namedObject(entry);
  const text = DEEDS[entry.action];
  if (named === null || text === undefined) return deedOf(entry.action);
  return rich(text, { [named.kind]: <Thing kind={named.kind} id={named.id} names={names} /> });
}

const KINDS: Readonly<Record<string, Named['kind']>> = {
  agent_id: 'agent',
  call_id: 'call',
  chat_id: 'chat',
  campaign_id: 'campaign',
  bulk_list_id: 'campaign',
};
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(value);

/** A value of an entry: names of fields and operations in words. */
const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(shown).join(', ')
    : (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('_', ' ');

/** The name of an object in an entry: `member_ids` as “Members”. */
const fieldName = (field: string): string => {
  const known = OBJECT_NAMES[field] ?? OBJECT_NAMES[field.replace(/s$/, '')];
  return known === undefined ? field.replace(/_ids?$/, '').replaceAll('_', ' ') : t(known);
};

/** What else an entry is about, beside the object of its sentence, in one line. */
export function OtherObjects({ entry, names }: { entry: Entry; names: Names }): ReactNode {
  const named = namedObject(entry);
  const others = Object.entries(entry.objects).filter(([field]) => field !== named?.field);
  const wordsOf = (value: unknown): string => (isId(value) ? (names[value] ?? value) : shown(value));
  return (
    <span title={others.map(([field, value]) => `${fieldName(field)} ${wordsOf(value)}`).join('\n')}>
      {others.map(([field, value], nth) => (
        <Fragment key={field}>
          {nth === 0 ? '' : ', '}
          <span className="text-muted">{fieldName(field)}</span>{' '}
          {isId(value) ? <Thing kind={KINDS[field] ?? null} id={value} names={names} /> : shown(value)}
        </Fragment>
      ))}
    </span>
  );
}

/** Who did it: the service, the provision file and the holder of a signed link have no name of their own. */
export const whoDid = ({ type, name }: Entry['actor']): string => {
  if (type === 'system') return 'Callwright';
  if (name !== '') return name;
  return type === 'signed_link' ? t('A signed link') : type === 'operator' ? t('The operator') : type;
};
