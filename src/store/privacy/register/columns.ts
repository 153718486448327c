import type { Erasing, PersonalColumn, RetentionSetting } from './register.ts';

type Column = (holds: string, retention?: RetentionSetting | null) => PersonalColumn;

const setTo =
  (set: string, says: string): Column =>
  (holds, retention = null) => ({ holds, erasing: { set, says }, retention });

/** The usual ways to erase a column. */
export const toNull = setTo('null', 'deleted');
export const toNothing = setTo(`''`, 'deleted');
export const toEmptyObject = setTo(`'{}'`, 'deleted');
export const toEmptyList = setTo(`'[]'`, 'deleted');
export const withRow: Column = (holds, retention = null) => ({ holds, erasing: 'row', retention });

/** `+`, the first digit and stars: the world zone stays, the person cannot be identified. */
export const masked = (number: string): string => `rpad(left(${number}, 2), length(${number}), '*')`;
/** `condition`: of which rows the column is the number of the person. */
export const maskedNumber = (
  column: string,
  holds: string,
  condition: string | null = null,
): PersonalColumn => ({
  holds,
  erasing: {
    set:
      condition === null
        ? masked(column)
        : `case when ${condition} then ${masked(column)} else ${column} end`,
    says: 'masked (`+1**********`)',
  },
  retention: 'contact_days',
});

/** An export of a person's data leaves the column out. */
export const leftOut = (reason: string, column: PersonalColumn): PersonalColumn => ({
  ...column,
  leftOut: reason,
});

/** An expression over the row. */
export const changed = (
  holds: string,
  erasing: Extract<Erasing, { set: string }>,
  retention: RetentionSetting | null = null,
): PersonalColumn => ({ holds, erasing, retention });

/** Code of its own erases it. */
export const erasedBy = (
  holds: string,
  by: string,
  retention: RetentionSetting | null = null,
): PersonalColumn => ({ holds, erasing: { by }, retention });

export const stays = (
  holds: string,
  reason: string,
  retention: RetentionSetting | null = null,
): PersonalColumn => ({ holds, erasing: { stays: reason }, retention });
