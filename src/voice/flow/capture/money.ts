import { numberIn, understand, type PhraseTable } from '@callwright/language';
import { composesNumbers, numberSaid } from './numbers.ts';

const MAIN =
  /[₹$£€¥]|\b(?:rs|inr|usd|gbp|eur|aed|myr|rm|cny|rmb|mmk)\b\.?|\b(?:dollars?|pounds?|euros?|rupees?|dirhams?|ringgit|yuan|kyats?)\b/giu;
const PARTS = /\b(?:cents?|pence|paise|paisa|sen|fils)\b/iu;
const WRITTEN = /(?<![\d,.])(\d{1,3}(?:,\d{2,3}){1,4}|\d{1,12})(?:\.(\d{1,2}))?(?!\d)/u;

/** An amount of money as a number, without its currency: "twenty dollars fifty", "1,200.50", "five hundred rupees"; null: none. */
export function moneyIn(text: string, table: PhraseTable): number | null {
  const line = text.slice(0, 200);
  const written = WRITTEN.exec(line);
  if (written !== null && !/\b(?:thousand|lakhs?|crores?|million)\b/iu.test(line)) {
    const whole = Number(written[1]!.replaceAll(',', ''));
    const cents = written[2] === undefined ? smallPart(line) : Number(written[2].padEnd(2, '0'));
    return whole + cents / 100;
  }
  const [head = ''] = line.split(MAIN).filter((part) => part.trim() !== '');
  const whole = numberOf(head, table);
  return whole === null ? null : whole + smallPart(line) / 100;
}

function numberOf(text: string, table: PhraseTable): number | null {
  const found = numberIn(text);
  if (found !== null) return found;
  if (composesNumbers(table)) return numberSaid(text, table);
  const read = understand({ text, by: 'speech' }, { answer: 'number', choices: [] }, table);
  return read?.type === 'value' && Number.isFinite(Number(read.value)) ? Number(read.value) : null;
}

/** Cents after the currency: "twenty dollars and fifty cents", "twenty dollars fifty". */
function smallPart(line: string): number {
  const at = [...line.matchAll(MAIN)].at(-1);
  const rest = at === undefined ? '' : line.slice(at.index + at[0].length);
  const part =
    PARTS.test(rest) || /^\s*(?:and\s+)?\p{L}+(?:[\s-]\p{L}+)?[.!]?\s*$/u.test(rest) ? numberIn(rest) : null;
  return part !== null && part < 100 ? part : 0;
}
