import { describe, expect, it } from 'vitest';
import { workbook } from '../../../../test/helpers/campaigns/workbook.ts';
import { readList } from './read-list.ts';

const file = (content: string | Buffer, name: string): File =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);

describe('a chosen file', () => {
  it('is read from the first sheet of a workbook, as the service reads it', async () => {
    const rows = [
      ['Phone', 'Day'],
      [14155550123, new Date(Date.UTC(2026, 0, 5))],
    ];
    expect(await readList(file(workbook(rows, [['other']]), 'people.xlsx'))).toEqual({
      header: ['Phone', 'Day'],
      rows: [['14155550123', '2026-01-05']],
      text: null,
    });
  });

  it('is refused by name with the way out when it cannot be read', async () => {
    expect(await readList(file('PK\u0003\u0004 not really', 'people.xlsx'))).toMatch(
      /^people\.xlsx is a workbook .* that cannot be read\..* then CSV/,
    );
    expect(await readList(file('%PDF-1.7', 'people.pdf'))).toMatch(/^people\.pdf is a PDF\./);
  });

  it('is text otherwise', async () => {
    expect(await readList(file('Phone,Name\n+1,Asha\n', 'people.csv'))).toMatchObject({
      header: ['Phone', 'Name'],
      text: { encoding: 'UTF-8', delimiter: 'comma' },
    });
  });
});
