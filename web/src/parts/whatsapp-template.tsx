import type { ReactNode } from 'react';
import type { Answer } from '../api/client.ts';
import { t } from '../words/words.ts';

export type Template = Answer<'listWhatsappTemplates'>['templates'][number];

/** A template has no other identity than both. */
export const templateKey = ({ name, language }: Pick<Template, 'name' | 'language'>): string =>
  `${name} ${language}`;

/** What a template looks like to the person, with its placeholders. */
export function TemplatePreview({ template }: { template: Template }): ReactNode {
  const { header, body, footer, buttons } = template;
  return (
    <div className="flex max-w-md flex-col gap-1.5 rounded-lg border border-line bg-raised px-3 py-2">
      {header === null ? null : header.kind === 'text' ? (
        <p className="font-medium wrap-anywhere">{header.text}</p>
      ) : (
        <p className="text-sm text-muted">
          {header.kind === 'image' ? t('With an image') : t('With a {kind}', { kind: header.kind })}
        </p>
      )}
      <p className="whitespace-pre-wrap wrap-anywhere">{body}</p>
      {footer === null ? null : <p className="text-sm wrap-anywhere text-muted">{footer}</p>}
      {buttons.length === 0 ? null : (
        <ul className="flex flex-wrap gap-2 border-t border-line pt-2 text-sm" aria-label={t('Buttons')}>
          {buttons.map(({ kind, text, url }) => (
            <li key={`${kind} ${text}`} className="rounded-md border border-line px-2 py-0.5 wrap-anywhere">
              {text}
              {url === null ? null : <span className="text-muted"> {url}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
