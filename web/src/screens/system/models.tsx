import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { formatLanguage, formatNumber } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, ErrorNote, Facts } from '../../ui/page.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Models = Answer<'listModels'>;
type Model = Models['models'][number];
type Download = NonNullable<Model['download']>;

const REFRESH_MS = 10_000;
const RUNNING_MS = 5_000;
const PARTS: Readonly<Record<Model['part'], string>> = {
  ears: 'Recogniser',
  voice: 'Voice',
  turn: 'Ends of turns',
  noise: 'Noise filter',
  meaning: 'Search by meaning',
  library: 'Library',
};

const isUnderWay = ({ download }: Model): boolean => download !== null && download.state !== 'failed';
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const megabytes = (bytes: number): string => `${formatNumber(Math.ceil(bytes / 1e6))} MB`;

const COLUMNS: readonly Column<Model>[] = [
  {
    title: 'Model',
    cell: (model) => (
      <span className="block min-w-40">
        <span className="font-mono wrap-anywhere">{model.id}</span>
        <span className="block text-muted">
          {[t(PARTS[model.part]), model.engine, ...model.languages.map(formatLanguage)].join(', ')}
        </span>
      </span>
    ),
  },
  {
    title: 'Benefit for calls',
    cell: (model) => (
      <span className="block max-w-prose min-w-48">
        {sentence(model.improves ?? t('No call uses it yet'))}
        <span className="block text-muted">
          {sentence(model.quality)} {sentence(model.cost)}
        </span>
      </span>
    ),
  },
  { title: 'Size', cell: (model) => megabytes(model.bytes), isNumber: true },
  {
    title: 'Licence',
    cell: (model) => (
      <>
        {model.licence}
        {model.is_pinned ? null : (
          <span className="block text-muted">{t('Its hash is recorded at the first download')}</span>
        )}
      </>
    ),
  },
  { title: 'State', cell: (model) => <State model={model} /> },
];

function State({ model }: { model: Model }): ReactNode {
  const { state, download } = model;
  if (download !== null) return <Progress download={download} />;
  if (state === 'installed') return <Badge tone="good">{t('Installed')}</Badge>;
  if (state === 'damaged') return <Badge tone="bad">{t('Damaged: download it again')}</Badge>;
  return <Badge>{model.runs_here ? t('Not installed') : t('Not for this system')}</Badge>;
}

function Progress({ download }: { download: Download }): ReactNode {
  const { state, failure, source, done_bytes: done, total_bytes: total } = download;
  if (failure !== null) {
    return (
      <span className="block min-w-48">
        <Badge tone="bad">{t('Failed')}</Badge> <span className="wrap-anywhere">{failure.message}</span>
        <span className="block text-muted">{failure.advice}</span>
      </span>
    );
  }
  if (state === 'waiting') return <Badge tone="accent">{t('Waits for another download')}</Badge>;
  return (
    <span className="block min-w-48">
      <ShareBar share={total === 0 ? 0 : done / total}>
        {t('{done} of {total}', { done: megabytes(done), total: megabytes(total) })}
      </ShareBar>
      {source === null ? null : <span className="block text-muted">{t('from {source}', { source })}</span>}
    </span>
  );
}

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

function Shelf({ in_use: inUse, better, models }: Models): ReactNode {
  const get = useChange('downloadModel', ['listModels']);
  const [removing, setRemoving] = useState<Model | null>(null);
  const columns: readonly Column<Model>[] = [
    ...COLUMNS,
    {
      title: 'Action',
      cell: (model) => (
        <ModelActions
          model={model}
          onGet={() => get.mutate({ model_id: model.id })}
          onRemove={() => setRemoving(model)}
        />
      ),
    },
  ];
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
      <Table caption={t('Models of this machine')} columns={columns} rows={models} keyOf={({ id }) => id} />
      {removing === null ? null : <Removal model={removing} onClose={() => setRemoving(null)} />}
    </div>
  );
}

function ModelActions({
  model,
  onGet,
  onRemove,
}: {
  model: Model;
  onGet: () => void;
  onRemove: () => void;
}): ReactNode {
  const input = { model_id: model.id };
  const name = <span className="sr-only"> {model.id}</span>;
  if (isUnderWay(model))
    return (
      <Button onClick={onRemove}>
        {t('Stop')}
        {name}
      </Button>
    );
  if (model.state === 'installed')
    return (
      <Button onClick={onRemove}>
        {t('Remove')}
        {name}
      </Button>
    );
  if (!model.runs_here) return '–';
  return (
    <RowActions>
      <Button onClick={onGet}>
        {t('Download')}
        {name}
      </Button>
      <CopyCurl operation="downloadModel" input={input} of={t('download of {value}', { value: model.id })} />
    </RowActions>
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
