import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Scenario } from '../../rehearsal/scenario/document.ts';
import { readScenario } from '../../rehearsal/scenario/read-scenario.ts';
import { SHIPPED_SCENARIOS } from '../../rehearsal/shipped/list.ts';
import { Refused } from '../as-code/document.ts';

/** The scenarios of YAML or JSON files: a file holds one or a list. Without files those that come with the program. Throws Refused. */
export function readScenarios(paths: readonly string[]): Scenario[] {
  const problems: string[] = [];
  const documents =
    paths.length === 0
      ? SHIPPED_SCENARIOS.map((document) => ['shipped scenarios', document] as const)
      : paths.flatMap((path) => documentsOf(path, problems).map((document) => [path, document] as const));
  const scenarios = documents.flatMap(([path, document], index) => {
    const read = readScenario(document);
    if ('scenario' in read) return [read.scenario];
    const name = nameOf(document) ?? `scenario ${index + 1}`;
    problems.push(...read.problems.map(({ field, message }) => `${path}, ${name}: ${field} ${message}`));
    return [];
  });
  if (problems.length > 0) throw new Refused(problems);
  if (scenarios.length === 0) throw new Refused(['the files have no scenario']);
  return scenarios;
}

function documentsOf(path: string, problems: string[]): unknown[] {
  try {
    const document: unknown = parse(readFileSync(path, 'utf8'));
    return Array.isArray(document) ? document : [document];
  } catch (error) {
    problems.push(`${path}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
    return [];
  }
}

const nameOf = (document: unknown): string | null =>
  typeof document === 'object' && document !== null && 'name' in document && typeof document.name === 'string'
    ? document.name
    : null;
