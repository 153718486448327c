import type { Need } from '../session/session.ts';

interface Place {
  readonly to: string;
  readonly name: string;
  readonly group: 'work' | 'settings';
  /** Who may open it. */
  readonly role: Need;
  /** Pressed after g, opens it. */
  readonly key: string;
}

/** The screens of the navigation and the palette. */
export const PLACES = [
  { to: '/', name: 'Home', group: 'work', role: 'viewer', key: 'h' },
  { to: '/live', name: 'Live calls', group: 'work', role: 'viewer', key: 'l' },
  { to: '/calls', name: 'Calls', group: 'work', role: 'viewer', key: 'c' },
  { to: '/chats', name: 'Chats', group: 'work', role: 'viewer', key: 't' },
  { to: '/campaigns', name: 'Campaigns', group: 'work', role: 'viewer', key: 'p' },
  { to: '/analytics', name: 'Analytics', group: 'work', role: 'viewer', key: 'a' },
  { to: '/agents', name: 'Assistants', group: 'work', role: 'viewer', key: 's' },
  { to: '/knowledge', name: 'Knowledge bases', group: 'work', role: 'viewer', key: 'k' },
  { to: '/numbers', name: 'Numbers', group: 'work', role: 'viewer', key: 'n' },
  { to: '/number-pools', name: 'Number pools', group: 'work', role: 'viewer', key: 'o' },
  { to: '/trunks', name: 'Trunks', group: 'work', role: 'viewer', key: 'r' },
  { to: '/whatsapp', name: 'WhatsApp', group: 'work', role: 'viewer', key: 'q' },
  { to: '/webhooks', name: 'Webhooks', group: 'work', role: 'viewer', key: 'w' },
  { to: '/do-not-call', name: 'Do not call', group: 'work', role: 'viewer', key: 'd' },
  { to: '/credits', name: 'Credits', group: 'work', role: 'viewer', key: 'b' },
  { to: '/settings/api-key', name: 'API keys', group: 'settings', role: 'owner', key: 'i' },
  { to: '/settings/requests', name: 'API requests', group: 'settings', role: 'manager', key: 'f' },
  { to: '/settings/workspace', name: 'Workspace', group: 'settings', role: 'viewer', key: 'z' },
  { to: '/settings/members', name: 'Members', group: 'settings', role: 'viewer', key: 'm' },
  { to: '/settings/child-workspaces', name: 'Child workspaces', group: 'settings', role: 'viewer', key: 'x' },
  { to: '/settings/providers', name: 'Providers', group: 'settings', role: 'viewer', key: 'v' },
  { to: '/settings/audit-log', name: 'Audit log', group: 'settings', role: 'manager', key: 'u' },
  { to: '/settings/data', name: 'Data and erasure', group: 'settings', role: 'owner', key: 'j' },
  { to: '/settings/system', name: 'System', group: 'settings', role: 'operator', key: 'y' },
  { to: '/settings/account', name: 'Your account', group: 'settings', role: 'viewer', key: 'e' },
] as const satisfies readonly Place[];
