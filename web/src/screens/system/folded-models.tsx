import type { ReactNode } from 'react';
import { PhoneRows, type PhoneRow } from '../../ui/phone-rows.tsx';
import { benefitOf, kindOf, licenceOf, megabytes, ModelState, PARTS, priceOf } from './model-cells.tsx';
import { groupsOf, type Model } from './model-groups.ts';
import { t } from '../../words/words.ts';

const keyOf = ({ id }: Model): string => id;

/** In a small window: the models that this machine has, then those that it lacks, folded by part. */
export function FoldedModels({
  models,
  live,
  actionsOf,
}: {
  /** As they were when the page was opened: a model does not move away from under the finger that fetches it. */
  models: readonly Model[];
  /** As they are now. */
  live: (model: Model) => Model;
  actionsOf: (model: Model) => ReactNode;
}): ReactNode {
  const { present, missing } = groupsOf(models);
  const show = (each: Model): PhoneRow => {
    const model = live(each);
    return {
      title: <span className="font-mono text-sm">{model.id}</span>,
      state: model.download === null ? <ModelState model={model} /> : null,
      detail: kindOf(model),
      time: megabytes(model.bytes),
      note: (
        <span className="flex flex-col gap-1">
          <span className="text-ink">{benefitOf(model)}</span>
          <span>{priceOf(model)}</span>
          <span>{licenceOf(model)}</span>
          {model.download === null ? null : <ModelState model={model} />}
        </span>
      ),
      actions: actionsOf(model),
    };
  };
  return (
    <>
      <h3 className="text-sm font-semibold">{t('On this machine')}</h3>
      {present.length === 0 ? (
        <p className="text-muted">{t('No model is installed.')}</p>
      ) : (
        <PhoneRows caption={t('On this machine')} rows={present} keyOf={keyOf} show={show} />
      )}
      {missing.size === 0 ? null : <h3 className="text-sm font-semibold">{t('Not on this machine')}</h3>}
      {[...missing].map(([part, rows]) => (
        <details key={part} className="rounded-lg border border-line bg-surface">
          <summary className="cursor-pointer px-3 sm:py-2">
            {t(PARTS[part])} <span className="text-muted">{rows.length}</span>
          </summary>
          <PhoneRows caption={t(PARTS[part])} rows={rows} keyOf={keyOf} show={show} isBare />
        </details>
      ))}
    </>
  );
}
