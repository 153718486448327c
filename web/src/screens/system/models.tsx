import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyCurl } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote, Facts } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useIsSmall } from '../../ui/use-is-small.ts';
import {
  benefitOf,
  kindOf,
  licenceOf,
  megabytes,
  ModelActions,
  ModelState,
  priceOf,
} from './model-cells.tsx';
import { hasAction, inOrder, isUnderWay, type Model } from './model-groups.ts';
import { FoldedModels } from './folded-models.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 10_000;
const RUNNING_MS = 5_000;

const COLUMNS: readonly Column<Model>[] = [
  {
    title: 'Model',
    cell: (model) => (
      <span className="block min-w-40">
        <span className="font-mono wrap-anywhere">{model.id}</span>
        <span className="block text-muted">{kindOf(model)}</span>
      </span>
    ),
  },
  { title: 'State', cell: (model) => <ModelState model={model} /> },
  {
    title: 'Benefit for calls',
    cell: (model) => (
      <span className="block max-w-prose min-w-48">
        {benefitOf(model)}
        <span className="block text-muted">{priceOf(model)}</span>
      </span>
    ),
  },
  {
    title: 'Size, licence',
    cell: (model) => (
      <>
        {megabytes(model.bytes)}
        <span className="block text-muted">{licenceOf(model)}</span>
      </>
    ),
  },
];

/** The models of this machine: what hears and speaks now, what would be better, and its download. */
export function LocalModels(): ReactNode {
  const [isActive, setActive] = useState(false);
  const read = useRead('listModels', {}, { every: isActive ? RUNNING_MS : REFRESH_MS });
  const isBusy = read.data?.models.some(isUnderWay) ?? false;
  if (isBusy !== isActive) setActive(isBusy);
  return (
    <section>
      <h2 className="mb-1 text-base font-semibold">{t('Speech on this machine')}</h2>
      <p className="mb-3 max-w-3xl text-pretty text-muted">
        {t(
          'Recognisers and voices that work without a vendor. New calls use a model as soon as it is installed, without a restart.',
        )}
      </p>
      <Loaded read={read}>{(answer) => <Shelf {...answer} />}</Loaded>
    </section>
  );
}

function Shelf({ in_use: inUse, better, models }: Answer<'listModels'>): ReactNode {
  const get = useChange('downloadModel', ['listModels']);
  const [removing, setRemoving] = useState<Model | null>(null);
  /** In the order of the moment of opening: a model does not move away from under the button that was pressed. */
  const [opened] = useState(models);
  const live = (model: Model): Model => models.find(({ id }) => id === model.id) ?? model;
  const isSmall = useIsSmall();
  const actionsOf = (model: Model): ReactNode =>
    hasAction(live(model)) ? (
      <ModelActions
        model={live(model)}
        onGet={() => get.mutate({ model_id: model.id })}
        onRemove={() => setRemoving(live(model))}
      />
    ) : null;
  return (
    <div className="flex flex-col gap-3">
      {inUse === null ? null : (
        <Facts
          rows={[
            ['Recogniser in use', inUse.ears],
            ['Voice engine in use', inUse.voices],
            ...(better === null ? [] : [['Recommended', better] as const]),
          ]}
        />
      )}
      {get.isError ? <ErrorNote error={get.error} /> : null}
      {isSmall ? (
        <FoldedModels models={opened} live={live} actionsOf={actionsOf} />
      ) : (
        <Table
          caption={t('Models of this machine')}
          columns={[...COLUMNS, { title: 'Action', cell: (model) => actionsOf(model) ?? '–' }]}
          rows={inOrder(opened).map(live)}
          keyOf={({ id }) => id}
        />
      )}
      {removing === null ? null : <Removal model={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
}

function Removal({ model, onClose }: { model: Model; onClose: () => void }): ReactNode {
  const remove = useChange('removeModel', ['listModels'], (_, { message }) => `${message}.`);
  const input = { model_id: model.id };
  const isDownload = isUnderWay(model);
  return (
    <ConfirmDialog
      title={
        isDownload
          ? t('Stop the download of {value}?', { value: model.id })
          : t('Remove {value}?', { value: model.id })
      }
      action={isDownload ? t('Stop the download') : t('Remove the model')}
      isBusy={remove.isPending}
      error={remove.error}
      curl={<CopyCurl operation="removeModel" input={input} />}
      onConfirm={() => remove.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      {isDownload
        ? t('The next download continues where this one ended.')
        : t(
            'Live calls keep it until they end; new calls use the engines that remain. It can be fetched again.',
          )}
    </ConfirmDialog>
  );
}
