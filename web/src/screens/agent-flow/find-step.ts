import { stepsIn, type FlowDocument } from './flow-document.ts';
import { stepsOf } from './flow-text.ts';

/** The place of the next step behind `from`, round the end, whose name, words or edges contain the text; null: none does. */
export function findStep(flow: FlowDocument, text: string, from: number): number | null {
  const wanted = text.trim().toLowerCase();
  const steps = stepsOf({ nodes: stepsIn(flow) });
  if (wanted === '') return null;
  for (let offset = 1; offset <= steps.length; offset += 1) {
    const place = (from + offset + steps.length) % steps.length;
    const { id = '', words = '', when = '', ways = [] } = steps[place] ?? {};
    if ([id, words ?? '', when ?? '', ...ways].some((part) => part.toLowerCase().includes(wanted)))
      return place;
  }
  return null;
}
