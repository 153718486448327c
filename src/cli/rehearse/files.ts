import { readFileSync } from 'node:fs';
import type { Scenario } from '../../rehearsal/scenario/document.ts';
import { readScenarioFile } from '../../rehearsal/scenario/read-file.ts';
import { SHIPPED_SCENARIOS } from '../../rehearsal/shipped/list.ts';
import { Refused } from '../../http/agents/document/document.ts';

/** The scenarios of YAML or JSON files: a file holds one or a list. Without files those that come with the program. Throws Refused. */
export function readScenarios(paths: readonly string[]): Scenario[] {
  if (paths.length === 0) return read('shipped scenarios', JSON.stringify(SHIPPED_SCENARIOS), []);
  const problems: string[] = [];
  const scenarios = paths.flatMap((path) => {
    try {
      return read(path, readFileSync(path, 'utf8'), problems);
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`);
      return [];
    }
  });
  if (problems.length > 0) throw new Refused(problems);
  return scenarios;
}

function read(path: string, text: string, problems: string[]): Scenario[] {
  const found = readScenarioFile(text);
  if ('scenarios' in found) return [...found.scenarios];
  problems.push(...found.problems.map(({ field, message }) => `${path}, ${field} ${message}`));
  return [];
}
