import type { ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { JOBS } from './jobs.ts';
import { languageNames, languagesText, lacksPrices, priceText, pricesText, type Offer } from './offers.ts';

/** What is said of each part; parts of which the same is said share it. */
function line(offers: readonly Offer[], textOf: (offer: Offer) => string | null): string {
  const byText = Map.groupBy(offers, textOf);
  return [...byText]
    .flatMap(([text, those]) => {
      const job = those.map(({ part }) => t(JOBS[part])).join(', ');
      return text === null ? [] : [t('{job}: {text}', { job, text })];
    })
    .join(' · ');
}

/** The languages and the prices of a vendor: a line for each, and all of it on request. */
export function OfferLines({
  title,
  offers,
  currency,
  wanted,
}: {
  /** The name of the vendor. */
  title: string;
  /** What it can do, one for each part of a call. */
  offers: readonly Offer[];
  currency: string;
  /** The languages of the assistants. */
  wanted: readonly string[];
}): ReactNode {
  const languages = line(offers, (offer) => languagesText(offer, wanted));
  return (
    <div className="text-sm text-muted">
      <p>{languages === '' ? t('Languages depend on the model.') : languages}</p>
      <p>{line(offers, (offer) => pricesText(offer, currency))}</p>
      <details className="mt-2">
        <summary className="cursor-pointer text-ink">
          {t('Languages and prices of {title}', { title })}
        </summary>
        {offers.map((offer) => (
          <OfferDetails key={offer.part} offer={offer} currency={currency} />
        ))}
        <p className="mt-2">
          {t('List prices, or those of the price file; the invoice of the vendor may differ.')}
        </p>
      </details>
    </div>
  );
}

function OfferDetails({ offer, currency }: { offer: Offer; currency: string }): ReactNode {
  const { languages, model, prices } = offer;
  return (
    <div className="mt-2">
      <p className="font-medium text-ink">
        {t(JOBS[offer.part])}
        {model === null ? '' : ` (${model})`}
      </p>
      <p>{languages === null ? t('Languages depend on the model.') : languageNames(languages).join(', ')}</p>
      <ul>
        {prices.map((price) => (
          <li key={price.model}>
            {price.model !== '*'
              ? price.model
              : prices.length === 1
                ? t('Every model')
                : t('Every other model')}
            : {priceText(price, currency)}
          </li>
        ))}
        {lacksPrices(offer) || prices.length === 0 ? (
          <li>{prices.length === 0 ? t('Price not known here') : t('Other models: price not known here')}</li>
        ) : null}
      </ul>
    </div>
  );
}
