import { readProvision, type ReadProvision } from '../../wire/provision/file.ts';
import { crossProblems } from './provision-checks.ts';

/** Parses a provision file, YAML or JSON, to a plan or to every problem as `path rule`. Never throws. */
export function parseProvision(text: string): ReadProvision {
  const read = readProvision(text);
  if (!read.ok) return read;
  const problems = crossProblems(read.plan);
  return problems.length > 0 ? { ok: false, problems } : read;
}
