import { describe, expect, it } from 'vitest';
import { workbook } from '../../../../test/helpers/campaigns/workbook.ts';
import { correctedFile, correctedText } from './corrected-list.ts';

const LIST = 'Mobile Number,callee_name,note\r\n12,"Ann ""A"" Lee","a,b"\r\n\r\n+14155550123,Sam,\r\n99,,x';

describe('a corrected list', () => {
  it('has other values in the cells of the report, and every other character as it was', () => {
    expect(
      correctedText(LIST, ',', [
        { row: 1, column: 'Mobile Number', from: '12', to: '+14155550142' },
        { row: 4, column: 'callee_name', from: '', to: 'Lee, "Jo"' },
        { row: 1, column: 'callee_name', from: 'Ann "A" Lee', to: 'Ann' },
      ]),
    ).toBe(
      'Mobile Number,callee_name,note\r\n+14155550142,Ann,"a,b"\r\n\r\n+14155550123,Sam,\r\n99,"Lee, ""Jo""",x',
    );
  });

  it('is none when a cell does not hold what the report says, or does not exist', () => {
    const correct = (row: number, column: string, from: string) =>
      correctedText(LIST, ',', [{ row, column, from, to: 'x' }]);
    expect(correct(1, 'Mobile Number', '13')).toBeNull();
    expect(correct(9, 'Mobile Number', '')).toBeNull();
    expect(correct(1, 'city', '')).toBeNull();
  });

  it('corrects a last cell without a line end, and an empty one', () => {
    expect(correctedText('a;b\n1;2', ';', [{ row: 1, column: 'b', from: '2', to: '3' }])).toBe('a;b\n1;3');
    expect(correctedText('a;b\n1;\n', ';', [{ row: 1, column: 'b', from: '', to: '3' }])).toBe('a;b\n1;3\n');
  });

  it('is read in its own encoding and delimiter, and a damaged workbook is left alone', async () => {
    const file = new File([Uint8Array.from([0x61, 0x3b, 0x62, 0x0a, 0xe9, 0x3b, 0x31])], 'list.csv');
    const corrected = await correctedFile(file, [{ row: 1, column: 'b', from: '1', to: '2' }]);
    expect(await corrected?.text()).toBe('a;b\né;2');
    const workbook = new File([Uint8Array.from([0x50, 0x4b, 0x03, 0x04])], 'list.xlsx');
    expect(await correctedFile(workbook, [])).toBeNull();
  });

  it('is the first sheet of a workbook as CSV, whose rows count as the service counts them', async () => {
    const rows = [
      ['Phone', 'Name', 'Day'],
      ['12', 'Lee, Ann', new Date(Date.UTC(2026, 0, 5))],
      [],
      [14155550123, 'Sam'],
      ['99', 'Jo'],
    ];
    const sheet = new File([new Uint8Array(workbook(rows, [['other']]))], 'Visits.xlsx');
    const corrected = await correctedFile(sheet, [
      { row: 1, column: 'Phone', from: '12', to: '+14155550142' },
      { row: 4, column: 'Phone', from: '99', to: '+14155550199' },
    ]);
    expect(corrected?.name).toBe('Visits.csv');
    const [header, lee, , sam, jo] = ((await corrected?.text()) ?? '').split('\n');
    expect(header).toBe('Phone,Name,Day');
    expect(lee).toBe('+14155550142,"Lee, Ann",2026-01-05');
    expect(sam?.startsWith('14155550123,Sam')).toBe(true);
    expect(jo?.startsWith('+14155550199,Jo')).toBe(true);
  });
});
