import type { ComponentProps, ReactNode } from 'react';
import { TextArea } from './controls.tsx';
import { formatNumber } from './format.tsx';
import { t } from '../words/words.ts';

/** Characters as the service counts them: an emoji is one. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** A text with the number of its characters and their limit. */
export function CountedArea({
  limit,
  value,
  hint,
  error,
  ...rest
}: Omit<ComponentProps<typeof TextArea>, 'value'> & { limit: number; value: string }): ReactNode {
  if (rest.readOnly === true) return <TextArea {...rest} value={value} hint={hint} />;
  const length = lengthOf(value);
  const over = length - limit;
  return (
    <TextArea
      {...rest}
      value={value}
      hint={
        <>
          <span className="tabular-nums">
            {t('{count} of {limit} characters', {
              count: formatNumber(length),
              limit: formatNumber(limit),
            })}
          </span>
          {hint === undefined ? null : <>. {hint}</>}
        </>
      }
      error={over > 0 ? t('Remove {over} characters.', { over: formatNumber(over) }) : error}
    />
  );
}
