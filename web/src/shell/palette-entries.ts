import type { Role } from '../session/session.ts';
import { PLACES } from './places.ts';

export interface Entry {
  readonly name: string;
  readonly href: string;
  readonly role: Role;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^\+?[\d ()-]{4,20}$/;
const SCREENS: readonly Entry[] = [
  ...PLACES.map(({ name, to, role }) => ({ name, href: to, role })),
  { name: 'New assistant', href: '/agents/new', role: 'manager' },
  { name: 'New campaign', href: '/campaigns/new', role: 'manager' },
];

/** The screens whose name has the text; for an id its call or campaign, for a number its calls. */
export function findEntries(text: string): readonly Entry[] {
  const wanted = text.trim();
  if (ID.test(wanted)) {
    return [
      { name: `Call ${wanted}`, href: `/calls/${wanted}`, role: 'viewer' },
      { name: `Campaign ${wanted}`, href: `/campaigns/${wanted}`, role: 'viewer' },
      { name: `Assistant ${wanted}`, href: `/agents/${wanted}`, role: 'viewer' },
    ];
  }
  if (NUMBER.test(wanted)) {
    const number = `+${wanted.replaceAll(/\D/g, '')}`;
    return [
      {
        name: `Calls to ${number}`,
        href: `/calls?number=%22${encodeURIComponent(number)}%22`,
        role: 'viewer',
      },
    ];
  }
  return SCREENS.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
}
