import { parse } from 'csv-parse/sync';
import type { Block } from '../../domain/knowledge/blocks.ts';
import { UnreadableDocument } from './zip-entries.ts';

const MAX_ROWS = 20_000;
const QUESTION = /^(?:questions?|q|query|prompt)$/i;
const ANSWER = /^(?:answers?|a|response|reply)$/i;

/** Renders rows as "column: value"; rows with question and answer columns become FAQ entries. */
export function readCsv(text: string): Block[] {
  const rows = records(text);
  const [header = [], ...body] = rows;
  const question = header.findIndex((name) => QUESTION.test(name));
  const answer = header.findIndex((name) => ANSWER.test(name));
  return body.slice(0, MAX_ROWS).flatMap((row): Block[] => {
    const questionText = row[question] ?? '';
    const answerText = row[answer] ?? '';
    if (questionText !== '' && answerText !== '') {
      return [{ type: 'faq', question: questionText, answer: answerText }];
    }
    const line = row
      .map((value, at) => (value === '' ? '' : header[at] ? `${header[at]}: ${value}` : value))
      .filter((cell) => cell !== '')
      .join('; ');
    return line === '' ? [] : [{ type: 'text', text: line }];
  });
}

function records(text: string): string[][] {
  const [first = ''] = text.split('\n', 1);
  const delimiter = [',', ';', '\t', '|'].reduce((best, mark) =>
    first.split(mark).length > first.split(best).length ? mark : best,
  );
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      to: MAX_ROWS + 1,
      max_record_size: 200_000,
    });
  } catch {
    throw new UnreadableDocument('is not a CSV file');
  }
}
