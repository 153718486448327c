import type { JsonObject } from '../../store/schema.ts';

/** Settings of a workspace that its children take over where they have none of their own. */
const INHERITED = ['limits', 'allow_premium_numbers', 'large_campaigns', 'circuit_breaker'] as const;
/** In the settings of a child: what the provision file declares for it, which goes before what it inherits. */
const OWN = 'own';

/** The settings of a child under these settings of its parent; `declared` replaces what the child has of its own. */
export function settingsOfChild(parent: JsonObject, child: JsonObject, declared?: JsonObject): JsonObject {
  const own = declared ?? (child[OWN] as JsonObject | undefined) ?? {};
  const kept = Object.entries(child).filter(([key]) => !INHERITED.some((name) => name === key));
  const inherited = INHERITED.flatMap((key) => {
    const value = own[key] ?? parent[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(inherited),
    ...(Object.keys(own).length === 0 ? {} : { [OWN]: own }),
  };
}
