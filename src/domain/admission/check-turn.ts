import { FREE, toMicroCredits, type UnitPrices } from '../credits/price.ts';
import { judge, type GateDeps } from './gate.ts';
import { refusedError } from './refused.ts';

export interface TurnCheckDeps extends GateDeps {
  /** Absent: free. */
  readonly unitPrices?: Pick<UnitPrices, 'modelTurn'>;
}

/** Throws 402 or 429 if a turn of a chat or test would be refused now: an answer ahead of the turn, which passes the gate again. */
export async function checkTurn(
  deps: TurnCheckDeps,
  workspaceId: string,
  kind: 'chat' | 'test',
): Promise<void> {
  const price = { each: toMicroCredits((deps.unitPrices ?? FREE).modelTurn), most: 1 };
  const request = { kind, price, byStranger: kind === 'chat' } as const;
  const judged = await deps.db.transaction().execute((tx) => judge(tx, deps, workspaceId, request));
  if (!judged.admitted) throw refusedError(judged.reason);
}
