/** What a named key may be given. The small set covers every operation that any key may call. */
export const SCOPES = [
  'agents:read',
  'agents:write',
  'analytics:read',
  'audit:read',
  'calls:read',
  'calls:write',
  'campaigns:read',
  'campaigns:write',
  'chats:read',
  'chats:write',
  'children:write',
  'config:write',
  'knowledge:read',
  'knowledge:write',
  'numbers:read',
  'numbers:write',
  'privacy:read',
  'privacy:write',
  'secrets:read',
  'secrets:write',
  'webhooks:read',
  'webhooks:write',
  'workspace:read',
  'workspace:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that the workspace key lacks: retention and erasure, secrets, and the rules of the workspace. They need a
 * signed-in owner, or a named key that the owner gave the scope.
 */
const RESERVED: ReadonlySet<Scope> = new Set([
  'privacy:write',
  'secrets:read',
  'secrets:write',
  'config:write',
]);

export const isReserved = (scope: Scope): boolean => RESERVED.has(scope);
