import { readYaml } from '../../shared/read-yaml.ts';
import type { SchemaProblem } from '../../shared/schema-problems.ts';
import type { Scenario } from './document.ts';
import { readScenario } from './read-scenario.ts';

const MOST_SCENARIOS = 200;

/** Reads the text of a file in YAML or JSON, which holds one scenario or a list; or says what is wrong, field by field. */
export function readScenarioFile(
  text: string,
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly SchemaProblem[] } {
  let documents: readonly unknown[];
  try {
    const document = readYaml(text, { aliases: true });
    documents = Array.isArray(document) ? document : [document];
  } catch (error) {
    const [message = 'cannot be read'] = error instanceof Error ? error.message.split('\n') : [];
    return { problems: [{ field: 'file', message }] };
  }
  const problems: SchemaProblem[] = [];
  const scenarios = documents.flatMap((document, index) => {
    const read = readScenario(document);
    if ('scenario' in read) return [read.scenario];
    const name = nameOf(document) ?? `scenario ${index + 1}`;
    problems.push(...read.problems.map(({ field, message }) => ({ field: `${name}: ${field}`, message })));
    return [];
  });
  if (documents.length === 0) problems.push({ field: 'file', message: 'has no scenario' });
  if (documents.length > MOST_SCENARIOS)
    problems.push({ field: 'file', message: `has more than ${MOST_SCENARIOS} scenarios` });
  return problems.length > 0 ? { problems } : { scenarios };
}

const nameOf = (document: unknown): string | null =>
  typeof document === 'object' && document !== null && 'name' in document && typeof document.name === 'string'
    ? document.name
    : null;
