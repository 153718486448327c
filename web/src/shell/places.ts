import type { Role } from '../session/session.ts';

interface Place {
  readonly to: string;
  readonly name: string;
  readonly group: 'work' | 'settings';
  /** Who may open it. */
  readonly role: Role;
}

/** The screens of the navigation and the palette. */
export const PLACES = [
  { to: '/', name: 'Home', group: 'work', role: 'viewer' },
  { to: '/live', name: 'Live calls', group: 'work', role: 'viewer' },
  { to: '/calls', name: 'Calls', group: 'work', role: 'viewer' },
  { to: '/chats', name: 'Chats', group: 'work', role: 'viewer' },
  { to: '/campaigns', name: 'Campaigns', group: 'work', role: 'viewer' },
  { to: '/analytics', name: 'Analytics', group: 'work', role: 'viewer' },
  { to: '/agents', name: 'Assistants', group: 'work', role: 'viewer' },
  { to: '/knowledge', name: 'Knowledge bases', group: 'work', role: 'viewer' },
  { to: '/numbers', name: 'Numbers', group: 'work', role: 'viewer' },
  { to: '/number-pools', name: 'Number pools', group: 'work', role: 'viewer' },
  { to: '/trunks', name: 'Trunks', group: 'work', role: 'viewer' },
  { to: '/whatsapp', name: 'WhatsApp', group: 'work', role: 'viewer' },
  { to: '/webhooks', name: 'Webhooks', group: 'work', role: 'viewer' },
  { to: '/do-not-call', name: 'Do not call', group: 'work', role: 'viewer' },
  { to: '/credits', name: 'Credits', group: 'work', role: 'viewer' },
  { to: '/settings/api-key', name: 'API key', group: 'settings', role: 'owner' },
  { to: '/settings/members', name: 'Members', group: 'settings', role: 'viewer' },
  { to: '/settings/child-workspaces', name: 'Child workspaces', group: 'settings', role: 'viewer' },
  { to: '/settings/providers', name: 'Providers', group: 'settings', role: 'viewer' },
  { to: '/settings/audit-log', name: 'Audit log', group: 'settings', role: 'manager' },
  { to: '/settings/system', name: 'System', group: 'settings', role: 'owner' },
  { to: '/settings/account', name: 'Your account', group: 'settings', role: 'viewer' },
] as const satisfies readonly Place[];
