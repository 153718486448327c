import type { Need } from '../session/session.ts';
import type { IconName } from '../ui/icon-shapes.ts';

/** The groups of the navigation, then sections that have a navigation on their pages. */
type Section = 'now' | 'build' | 'reach' | 'numbers' | 'developers' | 'settings' | 'account';

export interface Place {
  readonly to: string;
  readonly name: string;
  readonly section: Section;
  /** In the navigation. */
  readonly icon?: IconName;
  /** Who may open it. */
  readonly role: Need;
  /** Pressed after g, opens it. */
  readonly key: string;
}

/** The screens of the navigation and the palette. */
export const PLACES = [
  { to: '/', name: 'Home', section: 'now', icon: 'house', role: 'viewer', key: 'h' },
  { to: '/live', name: 'Live calls', section: 'now', icon: 'radio', role: 'viewer', key: 'l' },
  { to: '/calls', name: 'Calls', section: 'now', icon: 'phone', role: 'viewer', key: 'c' },
  { to: '/chats', name: 'Chats', section: 'now', icon: 'messages-square', role: 'viewer', key: 't' },
  { to: '/analytics', name: 'Analytics', section: 'now', icon: 'chart-line', role: 'viewer', key: 'a' },
  { to: '/agents', name: 'Assistants', section: 'build', icon: 'bot', role: 'viewer', key: 's' },
  {
    to: '/knowledge',
    name: 'Knowledge bases',
    section: 'build',
    icon: 'book-open',
    role: 'viewer',
    key: 'k',
  },
  { to: '/campaigns', name: 'Campaigns', section: 'reach', icon: 'megaphone', role: 'viewer', key: 'p' },
  { to: '/numbers', name: 'Numbers', section: 'reach', icon: 'hash', role: 'viewer', key: 'n' },
  { to: '/do-not-call', name: 'Do not call', section: 'reach', icon: 'shield-off', role: 'viewer', key: 'd' },
  { to: '/number-pools', name: 'Number pools', section: 'numbers', role: 'viewer', key: 'o' },
  { to: '/settings/api-key', name: 'API keys', section: 'developers', role: 'owner', key: 'i' },
  { to: '/settings/requests', name: 'API requests', section: 'developers', role: 'manager', key: 'f' },
  { to: '/webhooks', name: 'Webhooks', section: 'developers', role: 'viewer', key: 'w' },
  { to: '/settings/system', name: 'System', section: 'developers', role: 'operator', key: 'y' },
  { to: '/settings/workspace', name: 'Workspace', section: 'settings', role: 'viewer', key: 'z' },
  { to: '/settings/members', name: 'Members', section: 'settings', role: 'viewer', key: 'm' },
  { to: '/settings/providers', name: 'Providers', section: 'settings', role: 'viewer', key: 'v' },
  { to: '/trunks', name: 'Trunks', section: 'settings', role: 'viewer', key: 'r' },
  { to: '/whatsapp', name: 'WhatsApp', section: 'settings', role: 'viewer', key: 'q' },
  { to: '/credits', name: 'Credits', section: 'settings', role: 'viewer', key: 'b' },
  {
    to: '/settings/child-workspaces',
    name: 'Child workspaces',
    section: 'settings',
    role: 'viewer',
    key: 'x',
  },
  { to: '/settings/data', name: 'Data and erasure', section: 'settings', role: 'owner', key: 'j' },
  { to: '/settings/audit-log', name: 'Audit log', section: 'settings', role: 'manager', key: 'u' },
  { to: '/settings/account', name: 'Your account', section: 'account', role: 'viewer', key: 'e' },
] as const satisfies readonly Place[];

/** The place of an address: the one with the longest path that it begins with; null: none. */
export function placeOf(path: string): (typeof PLACES)[number] | null {
  return (
    PLACES.filter(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`))).toSorted(
      (a, b) => b.to.length - a.to.length,
    )[0] ?? null
  );
}

/** Sections that are one entry of the navigation, and whose pages have a navigation among themselves. */
export const SECTIONS = [
  { section: 'developers', name: 'Developers', icon: 'plug' },
  { section: 'settings', name: 'Settings', icon: 'settings' },
] as const satisfies readonly { section: Section; name: string; icon: IconName }[];
