import { errors } from '../../errors.ts';
import { newId } from '../../shared/ids.ts';
import type { GateDeps } from '../admission/gate.ts';
import { paid } from '../admission/holds.ts';
import type { StructuredModel } from '../analysis/model-analyst.ts';
import { FREE, toMicroCredits, type UnitPrices } from '../credits/price.ts';
import type { Rehearser, ScenarioRequest } from './rehearser.ts';
import { versionToRehearse } from './rehearsals.ts';

export interface DraftedScenarios {
  readonly scenarios: readonly object[];
  /** The same as the text of a file. */
  readonly file: string;
  /** The model that wrote them; null: rules. */
  readonly writtenBy: string | null;
}

interface Deps extends GateDeps {
  readonly rehearser: Rehearser;
  /** The language model of a workspace; null or absent: it has none. */
  modelOf?: (workspaceId: string) => Promise<StructuredModel | null>;
  readonly unitPrices?: UnitPrices;
}

/** Longer than two answers of a model. */
const HELD_MS = 120_000;

/**
 * Drafts scenarios for an agent, by rules or by the language model of the workspace for the price of a turn. Stores and plays nothing.
 * Throws 404 for an unknown agent or version, 400 where rules find none, 409 without a model, 503 when it writes nothing usable twice, and the
 * refusals of the admission gate.
 */
export async function draftScenarios(
  deps: Deps,
  workspaceId: string,
  input: {
    readonly agentId: string;
    readonly versionId: string | null;
    readonly by: 'rules' | 'model';
    readonly count: number;
    readonly wish: string;
  },
): Promise<DraftedScenarios> {
  const { rehearser } = deps;
  const { agent, frozen } = await versionToRehearse(deps, workspaceId, input);
  if (input.by === 'rules') {
    const scenarios = (await rehearser.scenariosOf(frozen.spec, agent.displayName)).slice(0, input.count);
    if (scenarios.length === 0) throw errors.noScenarios();
    return { scenarios, file: rehearser.write(scenarios), writtenBy: null };
  }
  const model = (await deps.modelOf?.(workspaceId)) ?? null;
  if (model === null) throw errors.noLanguageModel();
  const price = { each: toMicroCredits((deps.unitPrices ?? FREE).modelTurn), most: 1 };
  const held = { workspaceId, kind: 'test', subjectId: newId(), price, byStranger: false } as const;
  const request = rehearser.scenarioRequest(frozen.spec, agent.displayName, input);
  const scenarios = await paid(deps, { ...held, lifeMs: HELD_MS }, () => written(model, request));
  return { scenarios, file: rehearser.write(scenarios), writtenBy: model.name };
}

/** Asks once more, with what is wrong; what is right then counts. */
async function written(
  model: StructuredModel,
  { system, user, schema, mostTokens, read }: ScenarioRequest,
): Promise<readonly object[]> {
  const ask = (messages: readonly string[]): Promise<string> =>
    model.answer({ system, messages, schema, mostTokens }).catch((error: unknown) => {
      throw Object.assign(errors.modelSilent(), { cause: error });
    });
  const first = await ask([user]);
  const reading = read(first);
  if (reading.problems.length === 0 && reading.scenarios.length > 0) return reading.scenarios;
  const problems = [
    ...reading.problems.slice(0, 10),
    ...(reading.scenarios.length === 0 ? ['no scenario'] : []),
  ];
  const repair = `The answer does not fit: ${problems.join('; ')}. Answer with the whole corrected JSON object only.`;
  const second = read(await ask([user, first.slice(0, 20_000), repair]));
  const best = second.scenarios.length >= reading.scenarios.length ? second : reading;
  if (best.scenarios.length === 0) throw errors.modelSilent();
  return best.scenarios;
}
