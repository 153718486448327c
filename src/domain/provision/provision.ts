import { readFile } from 'node:fs/promises';
import type { Seal } from '../../shared/seal.ts';
import type { CreateAgentDeps } from '../agents/create-agent.ts';
import { applyProvision } from './apply-provision.ts';
import { firstStart, type FirstStart } from './first-start.ts';
import { parseProvision, type ProvisionPlan } from './provision-file.ts';

/** A provision file that cannot be applied; the message lists every problem. Nothing was changed. */
export class ProvisionFailure extends Error {
  readonly problems: readonly string[];
  constructor(path: string, problems: readonly string[]) {
    super([`PROVISION_FILE ${path} cannot be applied:`, ...problems.map((p) => `  ${p}`)].join('\n'));
    this.name = 'ProvisionFailure';
    this.problems = problems;
  }
}

/** Reads and checks the file before anything is started. Throws ProvisionFailure. */
export async function readPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ProvisionFailure(file, ['it cannot be read']);
  });
  const parsed = parseProvision(text);
  if (!parsed.ok) throw new ProvisionFailure(file, parsed.problems);
  return { file, plan: parsed.plan };
}

export type ProvisionDeps = CreateAgentDeps & { readonly seal: Seal };

export interface Plan {
  readonly file: string;
  readonly plan: ProvisionPlan;
}
/** What was made; `lines` are to be printed once: new keys are in them and cannot be shown again. */
export interface Provisioned {
  readonly lines: readonly string[];
  readonly first: FirstStart | null;
}

/** Makes what the plan declares exist, or without a plan what a first start needs. Throws ProvisionFailure. */
export async function applyPlan(deps: ProvisionDeps, plan: Plan | null): Promise<Provisioned> {
  if (plan !== null) {
    const applied = await applyProvision(deps, plan.plan);
    if (!applied.ok) throw new ProvisionFailure(plan.file, applied.problems);
    const lines = applied.newKeys.map(
      (key) => `  API key     ${key.apiKey}  (of ${key.workspace}; shown only this once)`,
    );
    return { lines, first: null };
  }
  const first = await firstStart(deps);
  if (first === null) return { lines: [], first };
  return {
    first,
    lines: [
      `  API key     ${first.apiKey}  (shown only this once: keep it)`,
      `  Workspace   ${first.workspace}, unlimited credits, number ${first.number} on the test carrier`,
      `  Demo agent  ${first.agentId}`,
    ],
  };
}

/** Reads the file, if there is one, and applies it. Returns the lines to print once. Throws ProvisionFailure. */
export async function provision(deps: ProvisionDeps, file: string | null): Promise<string[]> {
  const { lines } = await applyPlan(deps, file === null ? null : await readPlan(file));
  return [...lines];
}
