import type { Need } from '../session/session.ts';
import { PLACES } from './places.ts';
import { t } from '../words/words.ts';

/** What the palette does besides opening pages. */
export type Action = 'shortcuts' | 'theme' | 'sign-out';

export interface Entry {
  readonly name: string;
  /** What it is, where the name does not say so. */
  readonly kind?: string;
  readonly target: { readonly href: string } | { readonly action: Action };
  readonly role: Need;
  /** Other words for it, in small letters: what people type who know it by another name. */
  readonly also?: readonly string[];
}

/** An assistant or campaign of the workspace. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^\+?[\d ()-]{4,20}$/;
const MOST_NAMED = 6;
/** Other names of screens, by address. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  '/agents': ['agents', 'bots', 'prompts', 'voices'],
  '/calls': ['history', 'recordings', 'transcripts'],
  '/campaigns': ['bulk', 'lists', 'dialler', 'dialer'],
  '/do-not-call': ['dnc', 'dnd', 'opt-out', 'block'],
  '/knowledge': ['documents', 'files', 'rag'],
  '/settings/account': ['profile', 'password', 'two-step', '2fa'],
  '/settings/api-key': ['keys', 'token', 'signing secret'],
  '/settings/data': ['privacy', 'gdpr', 'retention', 'delete'],
  '/settings/members': ['people', 'users', 'team', 'roles', 'invite'],
  '/settings/providers': ['vendors', 'models', 'openai', 'llm', 'stt', 'tts'],
  '/settings/requests': ['logs'],
  '/settings/workspace': ['settings'],
  '/credits': ['billing', 'balance', 'money'],
  '/trunks': ['sip', 'carriers'],
  '/webhooks': ['events', 'deliveries'],
};
/** What can be done comes before what can be opened. */
const SCREENS: readonly Entry[] = [
  { name: 'New assistant', target: { href: '/agents/new' }, role: 'manager', also: ['agent', 'bot'] },
  { name: 'New campaign', target: { href: '/campaigns/new' }, role: 'manager' },
  ...PLACES.map(({ name, to, role }) => ({ name, target: { href: to }, role, also: ALIASES[to] ?? [] })),
  { name: 'Keyboard shortcuts', target: { action: 'shortcuts' }, role: 'viewer' },
  { name: 'Switch between the light and dark theme', target: { action: 'theme' }, role: 'viewer' },
  { name: 'Sign out', target: { action: 'sign-out' }, role: 'viewer' },
];

/**
 * Screens and actions whose name has the text, then assistants and campaigns; for an id its call or campaign, for a
 * number its calls.
 */
export function findEntries(
  text: string,
  agents: readonly Named[] = [],
  campaigns: readonly Named[] = [],
): readonly Entry[] {
  const wanted = text.trim();
  const page = (name: string, href: string): Entry => ({ name, target: { href }, role: 'viewer' });
  if (ID.test(wanted)) {
    return [
      page(t('Call {wanted}', { wanted }), `/calls/${wanted}`),
      page(t('Campaign {wanted}', { wanted }), `/campaigns/${wanted}`),
      page(t('Assistant {wanted}', { wanted }), `/agents/${wanted}`),
    ];
  }
  if (NUMBER.test(wanted)) {
    const number = `+${wanted.replaceAll(/\D/g, '')}`;
    return [page(t('Calls to {number}', { number }), `/calls?number=%22${encodeURIComponent(number)}%22`)];
  }
  const small = wanted.toLowerCase();
  const isFound = ({ name, also = [] }: Pick<Entry, 'name' | 'also'>): boolean =>
    name.toLowerCase().includes(small) || (wanted !== '' && also.some((word) => word.startsWith(small)));
  const found = (list: readonly Named[], kind: string, folder: string): readonly Entry[] =>
    wanted === ''
      ? []
      : list
          .filter(isFound)
          .slice(0, MOST_NAMED)
          .map(({ id, name }) => ({ ...page(name, `${folder}/${id}`), kind }));
  return [
    ...SCREENS.map((entry) => ({ ...entry, name: t(entry.name) })).filter(isFound),
    ...found(agents, t('Assistant'), '/agents'),
    ...found(campaigns, t('Campaign'), '/campaigns'),
  ];
}
