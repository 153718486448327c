import { readFile } from 'node:fs/promises';
import type { CreateAgentDeps } from '../agents/create-agent.ts';
import type { MergeDeps } from '../providers/save-providers.ts';
import { applyProvision, type ApplyOptions } from './apply-provision.ts';
import { firstStart, type FirstStart } from './first-start.ts';
import type { NewKey } from './apply-workspace.ts';
import type { ProvisionPlan } from '../../wire/provision/schema.ts';

/** A provision file that cannot be applied; the message lists every problem. Nothing was changed. */
export class ProvisionFailure extends Error {
  readonly problems: readonly string[];
  constructor(path: string, problems: readonly string[]) {
    super([`PROVISION_FILE ${path} cannot be applied:`, ...problems.map((p) => `  ${p}`)].join('\n'));
    this.name = 'ProvisionFailure';
    this.problems = problems;
  }
}

/** Reads and validates the file before anything starts. Throws ProvisionFailure. */
export async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ProvisionFailure(file, ['it cannot be read']);
  });
  // The parsers are a quarter of the main thread's modules: a start without a file does not load them.
  const { parseProvision } = await import('./provision-file.ts');
  const parsed = parseProvision(text);
  if (!parsed.ok) throw new ProvisionFailure(file, parsed.problems);
  return { file, plan: parsed.plan };
}

export type ProvisionDeps = CreateAgentDeps & MergeDeps;

export interface Plan {
  readonly file: string;
  readonly plan: ProvisionPlan;
}
/** The result; `lines` say what waits for a later start. */
export interface Provisioned {
  /** They can be shown only now. */
  readonly newKeys: readonly NewKey[];
  readonly lines: readonly string[];
  readonly first: FirstStart | null;
}

/** Applies the plan, or without one the first start. Throws ProvisionFailure. */
export async function applyPlan(
  deps: ProvisionDeps,
  plan: Plan | null,
  options: ApplyOptions = { isRunning: false },
): Promise<Provisioned> {
  if (plan !== null) {
    const applied = await applyProvision(deps, plan.plan, options);
    if (!applied.ok) throw new ProvisionFailure(plan.file, applied.problems);
    return { newKeys: applied.newKeys, lines: applied.notes, first: null };
  }
  const first = await firstStart(deps);
  if (first === null) return { newKeys: [], lines: [], first };
  return {
    first,
    newKeys: [{ apiKey: first.apiKey, workspace: '' }],
    lines: [
      `  Workspace   ${first.workspace}, unlimited credits, number ${first.number} on the test carrier`,
      `  Demo agent  ${first.agentId}`,
    ],
  };
}

/** New keys as a terminal shows them. */
export const keyLines = (keys: readonly NewKey[]): string[] =>
  keys.map(({ apiKey, workspace }) => {
    const of = workspace === '' ? 'shown only this once: keep it' : `of ${workspace}; shown only this once`;
    return `  API key     ${apiKey}  (${of})`;
  });

/** Reads and applies the file, if there is one. Returns the lines to print once. Throws ProvisionFailure. */
export async function provision(deps: ProvisionDeps, file: string | null): Promise<string[]> {
  const { newKeys, lines } = await applyPlan(deps, file === null ? null : await readPlan(file));
  return [...keyLines(newKeys), ...lines];
}
