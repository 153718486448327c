import { wireName } from '../../shared/wire-names.ts';
import { SIGNING_KINDS, isCarrierKind } from '../../shared/carrier-kinds.ts';
import { isE164 } from '../numbers/e164.ts';
import type { ChildEntry, ProvisionPlan } from '../../wire/provision/schema.ts';
import { TEST_TRUNK } from '../trunks/test-trunk.ts';
import { trunkProblems } from '../trunks/trunk-checks.ts';

type Unique = (what: string) => (value: string, path: string) => void;

/** Children of one parent are told apart by this form of their names. */
const sameName = (name: string): string => name.trim().toLowerCase();

/** What a schema cannot say: names, keys and numbers that repeat, addresses, and what one key demands of another. */
export function crossProblems(plan: ProvisionPlan): string[] {
  const problems: string[] = [];
  const unique: Unique = (what) => {
    const seen = new Map<string, string>();
    return (value, path) => {
      const first = seen.get(value);
      if (first !== undefined) problems.push(`${path} repeats the ${what} of ${first}`);
      else seen.set(value, path);
    };
  };
  const trunkName = unique('name');
  plan.trunks.forEach((trunk, i) => {
    const path = `trunks[${i}]`;
    trunkName(trunk.name, `${path}.name`);
    if (trunk.name === TEST_TRUNK) problems.push(`${path}.name test is the built-in test carrier`);
    problems.push(...trunkProblems(path, trunk));
    if (!isCarrierKind(trunk.kind)) return;
    if (trunk.password === undefined) problems.push(`${path}.password is required for kind ${trunk.kind}`);
    if (SIGNING_KINDS.has(trunk.kind) && trunk.signingKey === undefined)
      problems.push(`${path}.${wireName('signingKey')} is required for kind ${trunk.kind}`);
  });
  checkWorkspaces(plan.workspaces, unique, problems);
  return problems;
}

function checkWorkspaces(workspaces: ProvisionPlan['workspaces'], unique: Unique, problems: string[]): void {
  const [workspaceName, apiKey, line] = [unique('name'), unique('key'), unique('number and trunk')];
  const check = (path: string, entry: ChildEntry): void => {
    if (entry.apiKey !== undefined) apiKey(entry.apiKey, `${path}.api_key`);
    const own = unique('number');
    entry.numbers?.forEach((number, j) => {
      const at = `${path}.numbers[${j}]`;
      if (!isE164(number.number)) problems.push(`${at}.number must be in E.164 form, such as +14155550100`);
      own(number.number, at);
      line(`${number.number} ${number.trunk}`, at);
    });
  };
  const childNames = new Map<string, string>();
  workspaces.forEach((workspace, i) => {
    const path = `workspaces[${i}]`;
    workspaceName(workspace.name, `${path}.name`);
    check(path, workspace);
    const sibling = unique('name');
    workspace.children?.forEach((child, j) => {
      const at = `${path}.children[${j}]`;
      sibling(sameName(child.name), `${at}.name`);
      childNames.set(sameName(child.name), at);
      check(at, child);
    });
  });
  workspaces.forEach(({ name }, i) => {
    const child = childNames.get(sameName(name));
    if (child !== undefined) problems.push(`workspaces[${i}].name is also the name of the child ${child}`);
  });
}
