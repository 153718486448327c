import { lockMovable, moveNumbers } from '../../store/numbers/moving.ts';
import { findLine, findTrunkId, putNumber } from '../../store/tenants/provision.ts';
import { purposeProblem } from '../numbers/purpose.ts';
import { obstacleTo } from '../workspaces/move-numbers.ts';
import type { Run } from './apply-workspace.ts';
import type { ChildEntry } from '../../wire/provision/schema.ts';

type NumberEntry = NonNullable<ChildEntry['numbers']>[number];

/**
 * Creates or changes the declared numbers. A number of a parent that was moved to one of its children stays there; one that
 * a child declares moves from its parent to it.
 */
export async function applyNumbers(
  run: Pick<Run, 'tx' | 'at' | 'problems' | 'numberIds'>,
  path: string,
  { id, parentId }: { readonly id: string; readonly parentId: string | null },
  numbers: readonly NumberEntry[],
): Promise<void> {
  const { tx, at, problems, numberIds } = run;
  for (const [index, number] of numbers.entries()) {
    const field = `${path}.numbers[${index}]`;
    const misused = number.purpose === undefined ? null : purposeProblem(number.number, number.purpose);
    if (misused !== null) {
      problems.push(`${field}.purpose: ${number.number} ${misused}`);
      continue;
    }
    const trunkId = await findTrunkId(tx, number.trunk);
    if (trunkId === null) {
      problems.push(`${field}.trunk ${number.trunk} is not declared`);
      continue;
    }
    const line = await findLine(tx, number.number, trunkId);
    if (line !== undefined && line.workspaceId !== id) {
      if (line.parentId === id) {
        numberIds.push(line.id);
        continue;
      }
      if (parentId === null || line.workspaceId !== parentId) {
        problems.push(`${field} is a number of another workspace on the same trunk`);
        continue;
      }
      const [known] = await lockMovable(tx, [parentId], { numberIds: [line.id] });
      const obstacle = known === undefined ? null : obstacleTo(known);
      if (obstacle !== null) {
        problems.push(`${field} cannot be moved from the parent: ${obstacle}`);
        continue;
      }
      await moveNumbers(tx, [line.id], id, at);
    }
    const numberId = await putNumber(
      tx,
      id,
      {
        number: number.number,
        trunkId,
        provider: number.trunk,
        ...(number.displayName === undefined ? {} : { displayName: number.displayName }),
        ...(number.isTestNumber === undefined ? {} : { isTestNumber: number.isTestNumber }),
        ...(number.callLimit === undefined ? {} : { callLimit: number.callLimit }),
        ...(number.purpose === undefined ? {} : { purpose: number.purpose }),
      },
      at,
    );
    numberIds.push(numberId);
  }
}
