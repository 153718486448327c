import { FREE, toMicroCredits, type UnitPrices } from '../credits/price.ts';
import { checkStorage } from '../workspaces/storage-quotas.ts';
import { judge, type GateDeps } from './gate.ts';
import { refusedError } from './refused.ts';

export interface TurnCheckDeps extends GateDeps {
  /** Absent: free. */
  readonly unitPrices?: Pick<UnitPrices, 'modelTurn'>;
}

/**
 * Throws 402 or 429 if a chat may not begin or a test may not go on: the workspace has reached its storage quota, or the gate would refuse
 * the next turn, which passes it again.
 */
export async function checkTurn(
  deps: TurnCheckDeps,
  workspaceId: string,
  kind: 'chat' | 'test',
): Promise<void> {
  await checkStorage(deps, workspaceId, kind === 'chat' ? 'chats' : 'tests');
  const price = { each: toMicroCredits((deps.unitPrices ?? FREE).modelTurn), most: 1 };
  const request = { kind, price, byStranger: kind === 'chat' } as const;
  const judged = await deps.db.transaction().execute((tx) => judge(tx, deps, workspaceId, request));
  if (!judged.admitted) throw refusedError(judged.reason);
}
