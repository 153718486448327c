import type { Wire } from '../shared/wire-names.ts';
import { versionDocument, type VersionConfig } from '../store/json/agent-version.ts';
import { agentVariables } from '../domain/agents/agent-variables.ts';
import { valueOf } from '../shared/variables.ts';

/** Asks a person; null: the command runs without a terminal. */
export type Ask = ((question: string) => Promise<string>) | null;

/** The values cannot be sent. The message says what to give. */
export class ValuesRefused extends Error {}

/** Reads `name=value` pairs. Throws ValuesRefused. */
export function readPairs(pairs: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new ValuesRefused(`--var ${pair}: write name=value`);
    values[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return values;
}

/**
 * The values with those that the version needs and that were not given: asked for on a terminal. Without one the call is
 * refused with their names, unless phrases without a value may be left out. Throws ValuesRefused.
 */
export async function completeValues(
  version: object | undefined,
  given: Readonly<Record<string, string>>,
  { allowMissing, ask }: { readonly allowMissing: boolean; readonly ask: Ask },
): Promise<Record<string, string>> {
  const values: Record<string, string> = { ...given };
  if (version === undefined || allowMissing) return values;
  // `version_details` of the API have the keys of the stored configuration.
  const { needed } = agentVariables(versionDocument.read(version as Wire<VersionConfig>));
  const missing = [...needed].filter(([name]) => !FROM_CALL.has(name) && valueOf(values, name) === null);
  if (missing.length === 0) return values;
  if (ask === null) {
    const names = missing.map(([name]) => name);
    throw new ValuesRefused(
      `No value for ${names.join(', ')}: give ${names.map((name) => `--var "${name}=…"`).join(' ')}, ` +
        'or --allow-missing: the agent then leaves those phrases out.',
    );
  }
  for (const [name, place] of missing) {
    let value = '';
    while (value === '') value = (await ask(`${name} (used by the ${place}): `)).trim();
    values[name] = value;
  }
  return values;
}

/** The call itself has these. */
const FROM_CALL: ReadonlySet<string> = new Set(['callee_name', 'mobile_number']);
