import type { Answer } from '../../api/client.ts';

export type Model = Answer<'listModels'>['models'][number];

export const isUnderWay = ({ download }: Model): boolean => download !== null && download.state !== 'failed';

/** On this machine, on its way, or with a fault that somebody should look at. */
const isPresent = ({ state, download }: Model): boolean => state !== 'absent' || download !== null;

/** One that has no files for this system cannot be fetched. */
export const hasAction = (model: Model): boolean =>
  model.runs_here || model.state === 'installed' || isUnderWay(model);

/** A model whose download failed or whose file is damaged, one on its way, then what runs. */
const rankOf = (model: Model): number =>
  isUnderWay(model) ? 1 : model.state === 'installed' ? 2 : isPresent(model) ? 0 : model.runs_here ? 3 : 4;

/** What needs a look and what runs first, then what is missing; equal ones as the catalogue has them. */
export const inOrder = (models: readonly Model[]): Model[] =>
  models.toSorted((one, other) => rankOf(one) - rankOf(other));

/** The models that this machine has, and those that it lacks by part, in the order of the catalogue. */
export function groupsOf(models: readonly Model[]): {
  readonly present: readonly Model[];
  readonly missing: ReadonlyMap<Model['part'], readonly Model[]>;
} {
  const ordered = inOrder(models);
  return {
    present: ordered.filter(isPresent),
    missing: Map.groupBy(
      ordered.filter((model) => !isPresent(model)),
      ({ part }) => part,
    ),
  };
}
