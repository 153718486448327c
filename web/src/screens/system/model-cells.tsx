import type { ReactNode } from 'react';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { formatLanguage, formatNumber } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { isUnderWay, type Model } from './model-groups.ts';
import { t } from '../../words/words.ts';

type Download = NonNullable<Model['download']>;

export const PARTS: Readonly<Record<Model['part'], string>> = {
  ears: 'Recogniser',
  voice: 'Voice',
  turn: 'Ends of turns',
  noise: 'Noise filter',
  meaning: 'Search by meaning',
  library: 'Library',
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
export const megabytes = (bytes: number): string => `${formatNumber(Math.ceil(bytes / 1e6))} MB`;

/** What a model does, by which engine, in which languages. */
export const kindOf = ({ part, engine, languages }: Model): string =>
  [t(PARTS[part]), engine, ...languages.map(formatLanguage)].join(', ');

/** What calls gain from a model. */
export const benefitOf = ({ improves }: Model): string => sentence(improves ?? t('No call uses it yet'));

/** How good it is, and what it costs. */
export const priceOf = ({ quality, cost }: Model): string => `${sentence(quality)} ${sentence(cost)}`;

export const licenceOf = ({ licence, is_pinned: isPinned }: Model): string =>
  isPinned ? licence : `${licence}. ${t('Its hash is recorded at the first download')}.`;

export function ModelState({ model }: { model: Model }): ReactNode {
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

export function ModelActions({
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
