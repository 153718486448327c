import type { SourceToEmbed } from '../../store/knowledge/vectors.ts';
import type { HoldKey } from '../../store/tenants/holds.ts';
import type { GateDeps } from '../admission/gate.ts';
import { hold, settleHold } from '../admission/holds.ts';
import { toMicroCredits, type UnitPrices } from '../credits/price.ts';

export interface EmbeddingChargeDeps extends GateDeps {
  /** Absent: free. */
  readonly prices?: Pick<UnitPrices, 'thousandEmbeddings'>;
}

/** The price of one request that embeds texts of several knowledge bases, held until the vectors are stored. */
export interface EmbeddingCharge {
  /** Sources whose workspaces cannot pay. */
  readonly refused: readonly SourceToEmbed[];
  settle(isDone: boolean): Promise<void>;
}

/** Holds the price of embedding these texts, each named by its source. */
export async function holdEmbeddings(
  deps: EmbeddingChargeDeps,
  texts: readonly SourceToEmbed[],
  lifeMs: number,
): Promise<EmbeddingCharge> {
  const price = toMicroCredits(deps.prices?.thousandEmbeddings ?? 0);
  if (price === 0) return { refused: [], settle: () => Promise.resolve() };
  const refused: SourceToEmbed[] = [];
  const held: { readonly key: HoldKey; readonly amount: number }[] = [];
  for (const ofBase of Map.groupBy(texts, ({ workspaceId, kbId }) => `${workspaceId} ${kbId}`).values()) {
    const [first] = ofBase;
    if (first === undefined) continue;
    const { workspaceId, kbId: subjectId } = first;
    const amount = Math.ceil((price * ofBase.length) / 1000);
    const request = { workspaceId, kind: 'embedding', subjectId, byStranger: false, lifeMs } as const;
    const answer = await hold(deps, { ...request, price: { amount } });
    if (!answer.admitted) refused.push(...ofBase);
    else if (answer.held !== null) held.push({ key: answer.held, amount });
  }
  return {
    refused,
    async settle(isDone) {
      for (const { key, amount } of held) {
        const used = { amount: isDone ? amount : 0, turns: 0 };
        await deps.db.transaction().execute((tx) => settleHold(tx, deps, key, used));
      }
    },
  };
}

/**
 * Holds the price of embedding the question of a search in these knowledge bases, the first of which the ledger names. Returns what
 * settles it; null: the credits or caps of the workspace do not cover it.
 */
export async function holdQuestion(
  deps: EmbeddingChargeDeps,
  at: { readonly workspaceId: string; readonly kbIds: readonly string[]; readonly byStranger: boolean },
  lifeMs: number,
): Promise<((isDone: boolean) => Promise<void>) | null> {
  const { workspaceId, byStranger } = at;
  const [subjectId] = at.kbIds;
  const amount = Math.ceil(toMicroCredits(deps.prices?.thousandEmbeddings ?? 0) / 1000);
  if (amount === 0 || subjectId === undefined) return () => Promise.resolve();
  const request = { workspaceId, kind: 'search', subjectId, byStranger, lifeMs } as const;
  const answer = await hold(deps, { ...request, price: { amount } });
  if (!answer.admitted) return null;
  const { held } = answer;
  return (isDone) =>
    deps.db
      .transaction()
      .execute((tx) => settleHold(tx, deps, held, { amount: isDone ? amount : 0, turns: 0 }));
}
