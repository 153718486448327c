import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SelectField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import { settingName } from '../../parts/setting-names.ts';
import type { Version } from './types.ts';
import { diffVersions } from './version-diff.ts';
import { t } from '../../words/words.ts';

/** Two versions side by side: every field that differs. */
export function CompareCard({
  version,
  versions,
}: {
  version: Version;
  versions: readonly Version[];
}): ReactNode {
  const search = useSearch({ from: '/app/agents/$agentId' });
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const others = versions.filter((each) => each.version_id !== version.version_id);
  const other = others.find((each) => each.version_id === search.with) ?? others[0];
  if (other === undefined) {
    return (
      <Card title={t('Compare versions')}>
        <p className="text-muted">{t('Copy the version above to change it without touching live calls.')}</p>
      </Card>
    );
  }
  const fields = diffVersions(other, version);
  const cell = (text: string | null, isSame: boolean, tone: string): ReactNode => (
    <td className={`w-1/2 px-3 py-0.5 align-top whitespace-pre-wrap wrap-anywhere ${isSame ? '' : tone}`}>
      {text}
    </td>
  );
  return (
    <Card title={t('Compare versions')}>
      <div className="flex flex-col gap-4">
        <div className="max-w-sm">
          <SelectField
            label={t('Compare {versionSlug} with', { versionSlug: version.version_slug })}
            value={other.version_id}
            onChange={(event) => void navigate({ search: { ...search, with: event.target.value } })}
          >
            {others.map((each) => (
              <option key={each.version_id} value={each.version_id}>
                {each.version_slug}
              </option>
            ))}
          </SelectField>
        </div>
        {fields.length === 0 ? <p className="text-muted">{t('Both versions are the same.')}</p> : null}
        {fields.map(({ field, lines }) => (
          <div
            key={field}
            className="overflow-x-auto rounded-md border border-line"
            tabIndex={0}
            role="region"
            aria-label={t('Difference in {field}', { field: settingName(field) })}
          >
            <table className="w-full min-w-md table-fixed border-collapse font-mono text-xs">
              <caption className="px-3 py-1.5 text-left font-sans text-sm font-medium">
                {settingName(field)}
              </caption>
              <thead>
                <tr className="border-y border-line text-left font-sans text-muted">
                  <th scope="col" className="px-3 py-1 font-medium">
                    {other.version_slug}
                  </th>
                  <th scope="col" className="px-3 py-1 font-medium">
                    {version.version_slug}
                  </th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line, index) => (
                  // A line has no other identity than its place.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={index}>
                    {cell(line.left, line.isSame, line.left === null ? '' : 'bg-raised text-bad')}
                    {cell(line.right, line.isSame, line.right === null ? '' : 'bg-raised text-good')}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
      </div>
    </Card>
  );
}
