import { isAtLeast, type Role } from '../users/roles.ts';
import { isReserved, type Scope } from './scopes.ts';

/** What a session needs: a role in the workspace, an account, or the operator's flag. */
export type Need = Role | 'account' | 'operator';

/** Who needs neither key nor session. */
export type Open =
  /** Anybody. */
  | 'stranger'
  /** Who has a signed or one-time link, or signs the request. */
  | 'link'
  /** A web page with the public key of an agent. */
  | 'page_key'
  /** The caller of a browser call or chat. */
  | 'call_token';

/** How the objects of a request are bound to its principal. */
export type Bound =
  /** Ids are looked up in the workspace of the key or session. */
  | 'workspace'
  /** The workspace and its children; of a child, the child. */
  | 'family'
  /** The agent of the public key. */
  | 'page agent'
  /** The one call or chat of the token. */
  | 'token'
  /** The signed-in user. */
  | 'account'
  /** What the link names. */
  | 'link'
  /** The processes and settings of the installation. */
  | 'installation'
  /** Nothing of a workspace. */
  | 'nothing';

/** What goes on after the request was allowed, and ends within two seconds of the revocation. */
export type Live = 'stream' | 'socket' | 'take-over';

/** One row of the table. */
export interface Access {
  /** Null: no key; `any`: every key. */
  readonly scope: Scope | 'any' | null;
  /** Null: no session. */
  readonly need: Need | null;
  readonly bound: Bound;
  readonly open: Open | null;
  readonly live: Live | null;
}

/** Who sends a request. */
export type Principal =
  | { readonly kind: Open }
  /** `scopes` null: the workspace key. */
  | { readonly kind: 'key'; readonly scopes: readonly string[] | null }
  /** `role` null: no member of the workspace. */
  | { readonly kind: 'session'; readonly role: Role | null; readonly isOperator: boolean };

/** Whether the scopes open a row; null: those of the workspace key. */
const hasScope = (scope: Scope | 'any', scopes: readonly string[] | null): boolean => {
  if (scope === 'any') return true;
  return scopes === null ? !isReserved(scope) : scopes.includes(scope);
};

/** Whether the table allows the operation to the principal. */
export function allows(access: Access, principal: Principal): boolean {
  if (access.open === 'stranger') return true;
  if (principal.kind === 'key') return access.scope !== null && hasScope(access.scope, principal.scopes);
  if (principal.kind === 'session') return access.need !== null && meets(access.need, principal);
  return access.open === principal.kind;
}

function meets(
  need: Need,
  { role, isOperator }: { readonly role: Role | null; readonly isOperator: boolean },
): boolean {
  if (need === 'account') return true;
  if (need === 'operator') return isOperator;
  return role !== null && isAtLeast(role, need);
}
