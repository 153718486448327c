import { readFile } from 'node:fs/promises';
import type { CreateAgentDeps } from '../agents/create-agent.ts';
import { applyProvision } from './apply-provision.ts';
import { firstStart } from './first-start.ts';
import { parseProvision } from './provision-file.ts';

/** A provision file that cannot be applied; the message lists every problem. Nothing was changed. */
export class ProvisionFailure extends Error {
  readonly problems: readonly string[];
  constructor(path: string, problems: readonly string[]) {
    super([`PROVISION_FILE ${path} cannot be applied:`, ...problems.map((p) => `  ${p}`)].join('\n'));
    this.name = 'ProvisionFailure';
    this.problems = problems;
  }
}

/**
 * Makes what the file declares exist, or without a file what a first start needs. Returns the lines to print once:
 * new keys are in them and cannot be shown again. Throws ProvisionFailure.
 */
export async function provision(deps: CreateAgentDeps, file: string | null): Promise<string[]> {
  if (file === null) {
    const first = await firstStart(deps);
    return first === null
      ? []
      : [
          `  API key     ${first.apiKey}`,
          '              shown only this once: keep it',
          `  Workspace   ${first.workspace}, unlimited credits, number ${first.number} on the test carrier`,
          `  Demo agent  ${first.agentId}`,
        ];
  }
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ProvisionFailure(file, ['it cannot be read']);
  });
  const parsed = parseProvision(text);
  if (!parsed.ok) throw new ProvisionFailure(file, parsed.problems);
  const applied = await applyProvision(deps, parsed.plan);
  if (!applied.ok) throw new ProvisionFailure(file, applied.problems);
  return applied.newKeys.flatMap((key) => [
    `  API key     ${key.apiKey}`,
    `              of ${key.workspace}, shown only this once: keep it`,
  ]);
}
