import type { Tombstone } from './tombstones.ts';

/** What the list says of one workspace. */
export interface Gathered {
  /** Digests of numbers, and when their erasure was last requested. */
  readonly erasedNumbers: Map<string, Date>;
  readonly erasedCalls: string[];
  readonly erasedChats: string[];
  /** Digests of numbers that are opted out at the end of the list. */
  readonly optedOut: Set<string>;
  readonly campaignOptOuts: Map<string, Set<string>>;
  readonly revokedKeys: string[];
  /** The last role of members whose role changed; null: removed. */
  readonly members: Map<string, string | null>;
}

/** Sums up the lines of the list, in their order, by workspace. Pure. */
export function gather(tombstones: readonly Tombstone[]): Map<string, Gathered> {
  const all = new Map<string, Gathered>();
  for (const tombstone of tombstones) {
    const theirs = all.get(tombstone.workspaceId) ?? {
      erasedNumbers: new Map(),
      erasedCalls: [],
      erasedChats: [],
      optedOut: new Set(),
      campaignOptOuts: new Map(),
      revokedKeys: [],
      members: new Map(),
    };
    all.set(tombstone.workspaceId, theirs);
    add(theirs, tombstone);
  }
  return all;
}

function add(theirs: Gathered, { kind, subject, at, campaignId, role }: Tombstone): void {
  switch (kind) {
    case 'erased_number': {
      const before = theirs.erasedNumbers.get(subject);
      if (before === undefined || before < at) theirs.erasedNumbers.set(subject, at);
      return;
    }
    case 'erased_call':
      theirs.erasedCalls.push(subject);
      return;
    case 'erased_chat':
      theirs.erasedChats.push(subject);
      return;
    case 'opted_out':
      listOf(theirs, campaignId).add(subject);
      return;
    case 'opted_in':
      listOf(theirs, campaignId).delete(subject);
      return;
    case 'revoked_key':
      theirs.revokedKeys.push(subject);
      return;
    case 'removed_member':
      theirs.members.set(subject, null);
      return;
    case 'member_role':
      theirs.members.set(subject, role);
      return;
    default:
      kind satisfies never;
  }
}

function listOf(theirs: Gathered, campaignId: string | null): Set<string> {
  if (campaignId === null) return theirs.optedOut;
  const list = theirs.campaignOptOuts.get(campaignId) ?? new Set<string>();
  theirs.campaignOptOuts.set(campaignId, list);
  return list;
}
