import type { Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { lockFamily, setInherited } from '../../store/tenants/sub-workspaces.ts';

/** Settings of a workspace that its children take over where they have none of their own. */
const INHERITED = ['limits', 'allow_premium_numbers', 'large_campaigns', 'circuit_breaker'] as const;
/** In the settings of a child: what the provision file declares for it, which goes before what it inherits. */
const OWN = 'own';

interface Terms {
  readonly unlimited: boolean;
  readonly settings: JsonObject;
}

/**
 * Credits without limit and settings of a child under these terms of its parent. `declared` replaces what the child has of
 * its own: the inherited settings, and `unlimited`.
 */
export function termsOfChild(parent: Terms, child: JsonObject, declared?: JsonObject): Terms {
  const own = declared ?? (child[OWN] as JsonObject | undefined) ?? {};
  const kept = Object.entries(child).filter(
    ([key]) => key !== OWN && !INHERITED.some((name) => name === key),
  );
  const inherited = INHERITED.flatMap((key) => {
    const value = own[key] ?? parent.settings[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    unlimited: typeof own['unlimited'] === 'boolean' ? own['unlimited'] : parent.unlimited,
    settings: {
      ...Object.fromEntries(kept),
      ...Object.fromEntries(inherited),
      ...(Object.keys(own).length === 0 ? {} : { [OWN]: own }),
    },
  };
}

/** What an entry of the provision file declares of the terms that a child otherwise inherits. */
export function ownTerms(entry: { readonly credits?: number | 'unlimited' } & JsonObject): JsonObject {
  const declared = INHERITED.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]] as const]));
  const { credits } = entry;
  return {
    ...Object.fromEntries(declared),
    ...(credits === undefined ? {} : { unlimited: credits === 'unlimited' }),
  };
}

/** Gives the children of a workspace the terms that it has now, where they have none of their own. Locks the family. */
export async function passOnTerms(tx: Tx, parentId: string, at: Date): Promise<void> {
  const members = await lockFamily(tx, parentId);
  const parent = members.find(({ id }) => id === parentId);
  if (parent === undefined) return;
  for (const child of members) {
    if (child.parentId !== parentId) continue;
    await setInherited(tx, child.id, termsOfChild(parent, child.settings), at);
  }
}
