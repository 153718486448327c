/** How a dialled number behaves. */
export type Behaviour =
  | 'busy'
  | 'rings_out'
  | 'voicemail'
  | 'not_found'
  | 'silent'
  | 'leaves'
  | 'screening'
  | 'unavailable_once'
  | 'cooperative';

const BY_SUFFIX: Readonly<Record<string, Behaviour>> = {
  '0002': 'busy',
  '0003': 'rings_out',
  '0004': 'voicemail',
  '0005': 'not_found',
  '0006': 'silent',
  '0007': 'leaves',
  '0008': 'screening',
  '0009': 'unavailable_once',
};

/** The last four digits of a number decide. */
export const behaviourOf = (number: string): Behaviour => BY_SUFFIX[number.slice(-4)] ?? 'cooperative';
